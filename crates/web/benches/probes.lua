-- Asks for each position of a file once, each thread for its own share of them.

local threads = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init()
  local part = tonumber(os.getenv("PART"))
  positions = {}
  local line = 0
  for fen in io.lines(os.getenv("POSITIONS")) do
    line = line + 1
    -- The first tenth warms the server up; the others are measured.
    local warm = line % 10 == 0
    if warm == (part == 1) and (part == 1 or line % 2 == number) then
      positions[#positions + 1] = fen
    end
  end
  next_position = 0
end

function request()
  next_position = next_position % #positions + 1
  return wrk.format("GET", "/standard?fen=" .. positions[next_position])
end

function done(summary)
  local errors = summary.errors
  io.write(string.format("refused or failed: %d\n", errors.status + errors.connect + errors.read + errors.write + errors.timeout))
end
