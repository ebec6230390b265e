#!/bin/sh
# A UCI engine: the test program itself, told to be one.
exec "$ERRARE_PEER" --exact --ignored --nocapture peer::peer
