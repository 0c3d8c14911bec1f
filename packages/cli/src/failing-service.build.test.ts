import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestCli, type TestCli, waitForExit } from "./test-support/command";

/** A service that has one knowledge base, never ends an answer, and fails at everything else. */
let server: Server;
let requested: Promise<unknown>;
let cli: TestCli;
beforeAll(async () => {
	cli = await createTestCli();
	let onRequest = (): void => undefined;
	requested = new Promise<void>((resolve) => {
		onRequest = resolve;
	});
	const answers: Readonly<Record<string, object>> = {
		"/oauth/token": { access_token: "token", token_type: "bearer", expires_in: 900, scope: "ask" },
		"/v1/knowledge-bases": { data: [{ id: "kb_1", name: "handbook" }], has_more: false, next: null },
	};
	server = createServer(({ url = "" }, response) => {
		const answer = answers[url.split("?")[0] ?? ""];
		if (answer !== undefined)
			return response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
		if (url !== "/v1/ask") {
			const error = { code: "internal_error", message: "It broke.", hint: "Look at its log." };
			return response.writeHead(500, { "x-request-id": "req_42" }).end(JSON.stringify({ error }));
		}
		response.writeHead(200, { "content-type": "text/event-stream" });
		return response.write(
			'id: 1\nevent: text.delta\ndata: {"type":"text.delta","seq":1,"text":"So far"}\n\n',
			onRequest,
		);
	}).listen(0, "127.0.0.1");
	await once(server, "listening");
});
afterAll(async () => {
	server.closeAllConnections();
	server.close();
	await cli.close();
});

function start(...args: readonly string[]) {
	const { port } = server.address() as AddressInfo;
	return cli.start([...args, "--url", `http://127.0.0.1:${port}`], {
		STEMMA_CLIENT_ID: "cl_1",
		STEMMA_CLIENT_SECRET: "cs_secret",
	});
}

it("tells the request id of what went wrong in the service", async () => {
	const { code, stderr } = await waitForExit(start("clients", "list"));
	expect(stderr).toBe("error: It broke.\nhint:  Look at its log.\nrequest: req_42 (in the service's log)\n");
	expect(code).toBe(1);
});

it("ends an answer with Ctrl-C", async () => {
	const child = start("ask", "Hi");
	const outcome = waitForExit(child);
	await requested;
	await once(child.stdout ?? child, "data");
	child.kill("SIGINT");
	expect(await outcome).toEqual({ code: 130, stdout: "So far\n", stderr: "Cancelled.\n" });
});
