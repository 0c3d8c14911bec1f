// Streams that begin and never end, each with two events, in a process of their own. Tells its port.
import { createServer } from "node:http";
import { writeRun } from "./run-wire.mjs";

const [started, delta] = writeRun(["one", "two"])
	.toString()
	.split(/(?<=\n\n)/);

const server = createServer((request, response) => {
	request.resume();
	response.writeHead(200, { "content-type": "text/event-stream" });
	response.write(started + delta);
});
server.listen(0, "127.0.0.1", () => process.send(server.address().port));
process.on("disconnect", () => process.exit(0));
