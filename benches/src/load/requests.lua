-- Sends the requests of a file with wrk, as `benches/src/load/wrk.rs` calls it:
--
--   wrk … URL -- FILE THREADS TOKEN [HOST:PORT …]
--
-- FILE has one path per line. Each thread begins at another place of the file and then reads it in
-- order, so that all requests of a run are determined by the file. The token is empty if the requests
-- are those of guests. The threads send to URL and to the further servers in turn. The last line of
-- the output is one JSON object. The requests are composed before the run.

local threads = {}

function setup(thread)
  thread:set("place", #threads)
  table.insert(threads, thread)
end

function init(arguments)
  local headers = { ["Host"] = wrk.headers["Host"] }
  if arguments[3] ~= "" then headers["Authorization"] = "Bearer " .. arguments[3] end
  local server = place % (#arguments - 2)
  if server > 0 then
    local host, port = arguments[3 + server]:match("^(.*):(%d+)$")
    wrk.thread.addr = wrk.lookup(host, port)[1]
  end
  requests = {}
  for path in io.lines(arguments[1]) do
    -- The portal trusts this machine as a proxy. So the requests come from many clients, and the
    -- rate limits of one client do not apply to all.
    headers["X-Forwarded-For"] = "198.51.100." .. (#requests % 250 + 1)
    table.insert(requests, wrk.format("GET", path, headers))
  end
  count = #requests
  sent = 0
  first = math.floor(place * count / tonumber(arguments[2]))
end

function request()
  local nth = (first + sent) % count + 1
  sent = sent + 1
  return requests[nth]
end

function done(summary, latency)
  local most = 0
  for _, thread in ipairs(threads) do most = math.max(most, thread:get("sent")) end
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"bytes":%d,"duration_us":%d,"p50_us":%d,"p99_us":%d,"max_us":%d,"most_sent":%d,' ..
    '"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d}\n',
    summary.requests, summary.bytes, summary.duration, latency:percentile(50), latency:percentile(99),
    latency.max, most, errors.connect, errors.read, errors.write, errors.status, errors.timeout))
end
