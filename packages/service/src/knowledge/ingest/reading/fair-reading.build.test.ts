import { setTimeout as wait } from "node:timers/promises";
import type { DocumentCounts, KnowledgeBase } from "@stemma/client";
import * as built from "@stemma/service";
import { afterAll, beforeAll, expect, it } from "vitest";
import { getBody } from "../../../test-support/tenant";
import {
	openTestDeployment,
	type TestDeployment,
	type TestWorkspace,
} from "../../../test-support/test-deployment";

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
	const base = await getBody<KnowledgeBase>(send("POST", "/v1/knowledge-bases", { json: { name } }));
	const path = `/v1/knowledge-bases/${base.id}`;
	return {
		upload: (text, source) => getBody(send("POST", `${path}/documents`, { json: { text, source } })),
		count: async () => (await getBody<KnowledgeBase>(send("GET", path))).documents,
	};
}

const SLOW_DOCUMENTS = 16;
/** Takes seconds to read. */
const SLOW = "- a *b*\n".repeat(15_000);
const OTHER_DOCUMENTS = 6;
/** Slow documents that may end before all of the other tenant's are ready: each would have had its turn before one of these. */
const MAX_ENDED = 2;

it("a tenant with many slow documents makes another tenant wait for none of them", async () => {
	const hostileTenant = await addTenant("hostile");
	const otherTenant = await addTenant("other");
	for (let number = 0; number < SLOW_DOCUMENTS; number++)
		await hostileTenant.upload(SLOW, `slow-${number}.md`);
	await expect.poll(async () => (await hostileTenant.count()).processing).toBeGreaterThan(0);
	for (let number = 0; number < OTHER_DOCUMENTS; number++)
		await otherTenant.upload("Ten lines.\n".repeat(10), `ten-lines-${number}.txt`);
	const isReady = async () => (await otherTenant.count()).ready === OTHER_DOCUMENTS;
	const countEnded = async () => {
		const { ready, failed } = await hostileTenant.count();
		return ready + failed;
	};
	// The machine may be busy: the order counts, not the time.
	while (!(await isReady()) && (await countEnded()) <= MAX_ENDED) await wait(20);
	expect(await isReady()).toBe(true);
});
