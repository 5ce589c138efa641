#!/bin/sh
# Stands for NVIDIA's assembler: a-ptxas.sh -arch=CHIP SOURCE -o RESULT
echo bytes > "$4"
