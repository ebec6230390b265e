#!/bin/sh
# A UCI engine: the test program itself, told to be one.
PEER_SPEAKS=1 exec "$ERRARE_PEER" --exact --nocapture peer::the_engine_ranks_all_legal_moves
