import { describe, expect, it } from "vitest";
import { toMessage } from "../test-support/a2a-calls";
import { createTestRuntime } from "../test-support/scripted";

/** What A2A 1.0.1 asks of a whole server, by section. What the protocol asks of its messages is tested in a2a-server. */
const VERSION = { "a2a-version": "1.0" };
const rpc = (method: string, params: object) => ({ jsonrpc: "2.0", id: 1, method, params });

describe("3.3.2 Error Handling, 7.4 Server Authentication", () => {
	it.each(["/a2a/desk", "/a2a/desk/", "/a2a/desk/message:send"])(
		"MUST reject missing and invalid credentials, and SHOULD name the scheme: %s",
		async (path) => {
			const { fetch } = await createTestRuntime({ token: "t0ken" });
			for (const authorization of [undefined, "Bearer wrong"]) {
				const headers = {
					...VERSION,
					"content-type": "application/json",
					...(authorization && { authorization }),
				};
				const body = JSON.stringify(rpc("SendMessage", toMessage("hi")));
				const response = await fetch(
					new Request(`http://127.0.0.1${path}`, { method: "POST", headers, body }),
				);
				expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
			}
		},
	);
});

describe("3.1.4 List Tasks", () => {
	it("MUST be sorted by status time, the latest first, and page by cursor", async () => {
		const { post } = await createTestRuntime();
		const call = async (method: string, params: object) =>
			(await (await post("/a2a/desk", rpc(method, params), VERSION)).json()).result;
		for (const text of ["a", "b", "c"]) await call("SendMessage", toMessage(text));
		const all = await call("ListTasks", {});
		const times = all.tasks.map(({ status }: { status: { timestamp: string } }) => status.timestamp);
		expect(times).toEqual(times.toSorted().reverse());
		const first = await call("ListTasks", { page_size: 2 });
		const rest = await call("ListTasks", { page_size: 2, page_token: first.nextPageToken });
		expect([...first.tasks, ...rest.tasks]).toEqual(all.tasks);
		expect(rest.nextPageToken).toBe("");
	});
});

describe("8 Agent Card", () => {
	it("declares what the runtime does: bindings, streams, and decisions within messages", async () => {
		const { get } = await createTestRuntime();
		const card = await (await get("/a2a/desk/.well-known/agent-card.json")).json();
		expect(card.capabilities).toMatchObject({
			streaming: true,
			pushNotifications: false,
			extendedAgentCard: false,
			extensions: [{ uri: "urn:stemma:a2a:approvals:v1", required: false }],
		});
	});
});
