// Serves the page and its route: `node serve.mjs [port]`.
import { readFile } from "node:fs/promises";
import { serve } from "@hono/node-server";
import { POST } from "./route.mjs";

const page = await readFile(new URL("index.html", import.meta.url));

async function answer(request) {
	const { pathname } = new URL(request.url);
	if (request.method === "POST" && pathname === "/api/ask") return POST(request);
	if (pathname !== "/") return new Response("Not found", { status: 404 });
	return new Response(page, { headers: { "content-type": "text/html; charset=utf-8" } });
}

const port = Number(process.argv[2] ?? 8081);
serve({ fetch: answer, port, hostname: "localhost" }, (address) =>
	console.log(`http://localhost:${address.port}`),
);
