import { setTimeout as wait } from "node:timers/promises";
import type { DocumentCounts, KnowledgeBase } from "@stemma/client";
import * as built from "@stemma/service";
import { afterAll, beforeAll, expect, it } from "vitest";
import { demand } from "../test-support/tenant";
import { openTestDeployment, type TestDeployment, type TestWorkspace } from "../test-support/test-deployment";

let deployment: TestDeployment;
beforeAll(async () => {
	deployment = await openTestDeployment(built);
});
afterAll(() => deployment?.close());

interface Tenant {
	upload(text: string, source: string): Promise<unknown>;
	count(): Promise<DocumentCounts>;
}

async function addTenant(name: string): Promise<Tenant> {
	const { send }: TestWorkspace = await deployment.addWorkspace(name);
	const base = await demand<KnowledgeBase>(send("POST", "/v1/knowledge-bases", { json: { name } }));
	const path = `/v1/knowledge-bases/${base.id}`;
	return {
		upload: (text, source) => demand(send("POST", `${path}/documents`, { json: { text, source } })),
		count: async () => (await demand<KnowledgeBase>(send("GET", path))).documents,
	};
}

const SLOW_DOCUMENTS = 16;
/** Small ones and large ones; each takes as long as it may. */
const SLOW_BYTES = [20_000, 150_000];

it("a tenant with many slow documents makes another tenant wait for none of them", async () => {
	const hostile = await addTenant("hostile");
	const other = await addTenant("other");
	for (let number = 0; number < SLOW_DOCUMENTS; number++) {
		const bytes = SLOW_BYTES[number % SLOW_BYTES.length] ?? 0;
		await hostile.upload("*a_ ".repeat(bytes / 4), `slow-${number}.md`);
	}
	await expect.poll(async () => (await hostile.count()).processing, { timeout: 30_000 }).toBeGreaterThan(0);
	await other.upload("Ten lines.\n".repeat(10), "ten-lines.txt");
	await other.upload("Many lines.\n".repeat(20_000), "many-lines.txt");
	const isReady = async () => (await other.count()).ready === 2;
	const countEnded = ({ ready, failed }: DocumentCounts) => ready + failed;
	// Some of the hostile documents may end meanwhile, and the machine may be busy: what counts is the order.
	while (!(await isReady()) && countEnded(await hostile.count()) < SLOW_DOCUMENTS / 2) await wait(20);
	expect(await isReady()).toBe(true);
	expect(countEnded(await hostile.count())).toBeLessThan(SLOW_DOCUMENTS / 2);
});
