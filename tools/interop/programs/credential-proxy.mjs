import { createServer, request as send } from "node:http";

/** Passes everything on to one server, with a credential: for those who ask without one. */
const [target, authorization] = process.argv.slice(2);
const { hostname, port } = new URL(target);

const server = createServer((request, response) => {
	const { method, url: path, headers } = request;
	// `Host` stays as it was asked for, but for the port that this server listens at in place of the other.
	const host = headers.host?.replace(`:${server.address().port}`, `:${port}`);
	const passed = send(
		{ hostname, port, method, path, headers: { ...headers, host, authorization } },
		(answer) => {
			response.writeHead(answer.statusCode, answer.headers);
			answer.pipe(response);
		},
	);
	passed.on("error", () => response.destroy());
	response.on("close", () => passed.destroy());
	request.pipe(passed);
});
server.listen(0, "127.0.0.1", () => console.log(`It listens on http://127.0.0.1:${server.address().port}`));
