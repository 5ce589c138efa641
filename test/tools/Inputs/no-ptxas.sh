#!/bin/sh
echo this is no assembler
exit 1
