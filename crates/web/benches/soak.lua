-- What visitors do, in turn: look-ups of positions, pages, games of practice, jobs; and requests that are wrong.

local ROOT = "/api/v1/"
local json = { ["Content-Type"] = "application/json" }

function init()
  positions = {}
  for fen in io.lines(os.getenv("POSITIONS")) do
    positions[#positions + 1] = fen
  end
  asked = 0
end

-- Milliseconds between an answer and the next request of a connection.
function delay()
  return 50
end

local function get(path)
  return wrk.format("GET", path)
end

local function post(path, body)
  return wrk.format("POST", ROOT .. path, json, body)
end

function request()
  asked = asked + 1
  local fen = positions[asked % #positions + 1]
  local kinds = {
    function() return get("/standard?fen=" .. fen) end,
    function() return get("/standard/mainline?fen=" .. fen) end,
    function() return get(ROOT .. "choices?fen=" .. fen) end,
    function() return get(ROOT .. "advise?skill=20&fen=" .. fen) end,
    function() return get(asked % 16 == 4 and "/" or "/assets/app.js") end,
    function()
      return post("practice/games", '{"start":{"kind":"position","fen":"' .. fen:gsub("_", " ") .. '"},"seed":' .. asked .. "}")
    end,
    function() return post("jobs", '{"verb":"minimax","fen":"' .. fen:gsub("_", " ") .. '","depth":2}') end,
    function() return get("/standard?fen=rubbish" .. asked) end,
  }
  return kinds[asked % #kinds + 1]()
end

local counts = {}
function response(status)
  counts[status] = (counts[status] or 0) + 1
  thread_counts = ""
  for code, n in pairs(counts) do
    thread_counts = thread_counts .. string.format("%d: %d  ", code, n)
  end
end

local threads = {}
function setup(thread)
  threads[#threads + 1] = thread
end

function done()
  for _, thread in ipairs(threads) do
    io.write("answers by status: " .. (thread:get("thread_counts") or "none") .. "\n")
  end
end
