#!/bin/sh
# Stands for NVIDIA's assembler: a-ptxas.sh -arch=CHIP -lineinfo SOURCE -o RESULT
echo bytes > "$5"
