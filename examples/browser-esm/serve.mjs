// Serves this folder, as any server of static files would: `node serve.mjs [port]`.
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));
const port = Number(process.argv[2] ?? 8080);
const types = { ".html": "text/html", ".js": "text/javascript", ".map": "application/json" };

const server = createServer(async ({ url }, response) => {
	const { pathname } = new URL(url, "http://localhost");
	const file = join(folder, pathname === "/" ? "index.html" : pathname);
	const type = types[extname(file)];
	const isFile =
		type !== undefined &&
		(await stat(file).then(
			(found) => found.isFile(),
			() => false,
		));
	response.writeHead(isFile ? 200 : 404, { "content-type": type ?? "text/plain" });
	if (isFile) await pipeline(createReadStream(file), response).catch(() => undefined);
	else response.end("Not found");
});
server.listen(port, "localhost", () => console.log(`http://localhost:${server.address().port}`));
