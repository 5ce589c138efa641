#!/bin/sh
# Shortens ninja's output to one line that moves; errors and warnings stay whole.
# The status of ninja itself is not known here: a failure prints FAILED.
exec awk '
  /^ninja: no work to do/ { next }
  match($0, /^\[[0-9]+\/[0-9]+\]/) {
    step = substr($0, RSTART, RLENGTH)
    if (tty) printf "\rbuilding %s   ", step
    else if (++lines % 20 == 1) print "building " step
    fflush()
    next
  }
  /^FAILED|^ninja: (error|build stopped)/ { failed = 1 }
  { if (tty) printf "\n"; print; fflush() }
  END { if (tty && step != "") printf "\rbuilt %s      \n", step
        exit failed }
' tty="$([ -t 1 ] && echo 1 || echo 0)"
