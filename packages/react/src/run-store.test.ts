import { agents, createClient } from "@stemma/client";
import { expect, it } from "vitest";
import { RunStore } from "./run-store";
import { waitFor } from "./test-support/page";
import { startService } from "./test-support/service";

const EVENTS = 30_000;

// Copying what came before at each of them takes ten times as long as this may.
it("takes in 30,000 events at once in a moment", { timeout: 4000 }, async () => {
	const service = await startService();
	const client = createClient({ clientKey: "ck_1_secret", baseUrl: service.url });
	const store = new RunStore("desk", { agents: agents(client) });
	store.subscribe(() => undefined);
	store.start({ input: "How long?" });
	await waitFor(() => store.get().handle?.run_id).toBe("run_1");
	for (let seq = 0; seq < EVENTS; seq++) service.runs[0]?.emit("tool.called", { callee: "lookup" });
	service.runs[0]?.end("completed");
	await expect.poll(() => store.get().status, { timeout: 4000 }).toBe("completed");
	expect(store.get().events).toHaveLength(EVENTS + 2);
	await service.close();
});
