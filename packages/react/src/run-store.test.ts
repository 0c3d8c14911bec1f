import { agents, createClient } from "@stemma/client";
import { expect, it } from "vitest";
import { RunStore } from "./run-store";
import { waitFor } from "./test-support/page";
import { startService } from "./test-support/service";

/** Copying what came before at each of them takes minutes. */
const EVENTS = 100_000;

it("takes in 100,000 events at once in a moment", { timeout: 60_000 }, async () => {
	const service = await startService();
	const client = createClient({ clientKey: "ck_1_secret", baseUrl: service.url });
	const store = new RunStore("desk", { agents: agents(client) });
	store.subscribe(() => undefined);
	store.start({ input: "How long?" });
	await waitFor(() => store.get().handle?.run_id).toBe("run_1");
	for (let seq = 0; seq < EVENTS; seq++) service.runs[0]?.emit("tool.called", { callee: "lookup" });
	service.runs[0]?.end("completed");
	await expect.poll(() => store.get().status).toBe("completed");
	expect(store.get().events).toHaveLength(EVENTS + 2);
	await service.close();
});
