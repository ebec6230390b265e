#!/bin/sh
# An engine that says who it is in a file beside it, and hears nothing.
number=$(dirname "$0")/number
echo $$ >"$number.new"
mv "$number.new" "$number"
exec sleep 1000
