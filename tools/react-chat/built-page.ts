import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import type { Harness } from "@stemma/simulators/processes";

const example = fileURLToPath(new URL("../../examples/vite-react-chat", import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
	".html": "text/html",
	".js": "text/javascript",
	".css": "text/css",
};

/** A folder, as a server of static files shows it. */
export interface StaticPage {
	readonly origin: string;
	close(): void;
}

/** Without a host of its own: a key is made for the origin before there is anything to show. */
export async function servePage(folder: string): Promise<StaticPage> {
	const server = createServer(async ({ url = "/" }, response) => {
		const path = normalize(new URL(url, "http://host").pathname);
		const file = path === "/" ? "index.html" : path;
		try {
			const body = await readFile(join(folder, file));
			response
				.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" })
				.end(body);
		} catch {
			response.writeHead(404).end();
		}
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		close() {
			server.close();
			server.closeAllConnections();
		},
	};
}

/** `vite build` of the example, with its settings in the environment. */
export async function buildPage(
	harness: Harness,
	folder: string,
	env: Readonly<Record<string, string>>,
): Promise<void> {
	const vite = join(example, "node_modules/vite/bin/vite.js");
	const program = harness.start({
		args: [vite, "build", "--outDir", folder, "--emptyOutDir"],
		cwd: example,
		env: { ...env, NODE_ENV: "production" },
	});
	const { code } = await program.ended;
	if (code !== 0) throw new Error(`The example could not be built:\n${program.output()}`);
}
