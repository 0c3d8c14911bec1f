import { type StartedServer, startServer } from "@stemma/simulators/start-server";
import { readRequest, serveModel } from "./hostile-model.ts";
import { type A2aScript, type McpScript, serveA2a, serveMcp } from "./hostile-peers.ts";

/** Starts the hostile tenant's own servers: `/v1` (models), `/mcp/<script>`, `/a2a/<script>`, `/hook` (webhooks). */
export function startHostileEndpoints(): Promise<StartedServer> {
	return startServer(0, async (request, response) => {
		response.on("error", () => undefined);
		const path = request.url ?? "/";
		const [, kind, script = ""] = path.split("/");
		const body = await readRequest(request);
		if (kind === "v1") return serveModel(body, path, response);
		if (kind === "mcp") return serveMcp(script as McpScript, body, response);
		if (kind === "a2a") {
			const url = `http://${request.headers.host}/a2a/${script}`;
			return serveA2a(script as A2aScript, path.includes("/.well-known/"), url, response);
		}
		// Webhooks hang.
	});
}
