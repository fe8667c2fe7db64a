-- Asks for one target after the other, each connection from another place of the list on.
--   wrk ... -s load.lua ADDRESS -- HOST FILE
-- and writes one line of JSON when it is done.

local threads = 0

function setup(thread)
  threads = threads + 1
  thread:set("first", threads * 100397)
end

function init(arguments)
  requests, place = {}, first
  for target in io.lines(arguments[2]) do
    requests[#requests + 1] = "GET " .. target .. " HTTP/1.1\r\nHost: " .. arguments[1] .. "\r\n\r\n"
  end
end

function request()
  place = place % #requests + 1
  return requests[place]
end

function done(summary, latency, _)
  local errors = summary.errors
  io.write(string.format(
    '{"requests": %d, "seconds": %f, "p50": %f, "p99": %f, "most": %f, "refused": %d, "failed": %d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    latency.max / 1e3, errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
