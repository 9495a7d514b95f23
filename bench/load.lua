-- The load in wrk: composes requests from the parts that wrk.ts wrote to the file it is given (see requests.ts).

local threadCount = 0

function setup(thread)
  threadCount = threadCount + 1
  thread:set("threadNumber", threadCount)
end

function init(args)
  parts = dofile(args[1])
  math.randomseed(parts.run * 16 + threadNumber)
  sentCount = 0
end

-- A UUID of version 7, unique by run, thread and count. os.time knows seconds only, which is enough for its order.
local function newKey()
  local timeMs = os.time() * 1000 + sentCount % 1000
  return string.format("%08x-%04x-7%03x-8%03x-%04x%08x", math.floor(timeMs / 65536), timeMs % 65536,
    math.random(0, 4095), threadNumber, parts.run, sentCount)
end

function request()
  local caller = math.random(#parts.callers)
  local rest = math.random(#parts.rests)
  if rest == parts.forbiddenRests[caller] then rest = rest % #parts.rests + 1 end
  local start = parts.starts[sentCount % #parts.starts + 1]
  sentCount = sentCount + 1
  local key = parts.isKeyed and "idempotency-key: " .. newKey() .. "\r\n" or ""
  return start .. parts.callers[caller] .. key .. parts.rests[rest]
end

-- os.clock is the processor time of this process, all threads together.
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requestCount":%d,"seconds":%f,"p50Us":%f,"p99Us":%f,"slowestUs":%f,"refusedCount":%d,"lostCount":%d,"cpuSeconds":%f}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50), latency:percentile(99), latency.max,
    errors.status, errors.connect + errors.read + errors.write + errors.timeout, os.clock()))
end
