import { mkdtemp, rm } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { KnowledgeBase, Source, SourceSync } from "@stemma/client";
import * as built from "@stemma/service";
import { startServer } from "@stemma/simulators/start-server";
import { afterEach, describe, expect, it } from "vitest";
import { isAboutOneInstance } from "../../test-support/alternating-service";
import { type SendRequest, sendTo } from "../../test-support/send-request";
import { listDatabases } from "../../test-support/stored-rows";
import { getBody } from "../../test-support/tenant";
import { fetchToken, openTestDeployment, toTestConfiguration } from "../../test-support/test-deployment";

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const end of endings.splice(0).reverse()) await end();
});

/** Server whose paths below `/held` get no response until they are released. */
async function startHoldingServer() {
	const held = new Map<string, ServerResponse>();
	let isReleased = false;
	const server = await startServer(0, async ({ url = "" }, response) => {
		if (!url.startsWith("/held") || isReleased) {
			response.writeHead(200, { "content-type": "text/markdown" }).end(`# ${url}\n\nText.`);
			return;
		}
		held.set(url, response);
		response.on("close", () => held.delete(url));
	});
	endings.push(server.close);
	const release = (): void => {
		isReleased = true;
		for (const response of held.values())
			response.writeHead(200, { "content-type": "text/markdown" }).end("Released.");
	};
	return { origin: server.origin, held, release };
}

/** Sources of one knowledge base. */
async function createSources(send: SendRequest) {
	const json = { name: "Documents" };
	const { id } = await getBody<KnowledgeBase>(send("POST", "/v1/knowledge-bases", { json }));
	const base = `/v1/knowledge-bases/${id}`;
	const get = (source: string) => getBody<Source>(send("GET", `${base}/sources/${source}`));
	return {
		add: async (settings: object, more: object = {}) =>
			(await getBody<Source>(send("POST", `${base}/sources`, { json: { settings, ...more } }))).id,
		get,
		post: (source: string, path: string) =>
			getBody<SourceSync>(send("POST", `${base}/sources/${source}/${path}`, { json: {} })),
		waitForStatus: async (source: string, status: string) => {
			await expect.poll(async () => (await get(source)).last_sync?.status).toBe(status);
			return get(source);
		},
	};
}

describe("syncs of sources", () => {
	it("end at once where they are cancelled, and can be started again", async () => {
		const deployment = await openTestDeployment(built);
		endings.push(deployment.close);
		const { send } = await deployment.addWorkspace("tests");
		const server = await startHoldingServer();
		const sources = await createSources(send);
		const source = await sources.add({ kind: "url", url: `${server.origin}/held.md` });
		await expect.poll(() => server.held.size).toBe(1);
		expect((await sources.get(source)).last_sync?.status).toBe("running");
		const cancelled = await sources.post(source, "sync/cancel");
		expect(cancelled).toMatchObject({ status: "cancelled", error: null, ended_at: expect.any(String) });
		await expect.poll(() => server.held.size).toBe(0);
		server.release();
		await sources.post(source, "sync");
		const { last_sync } = await sources.waitForStatus(source, "succeeded");
		expect(last_sync).toMatchObject({ counts: { added: 1 } });
		expect(last_sync?.id).not.toBe(cancelled.id);
	});

	it.skipIf(isAboutOneInstance("each has room for some syncs of a workspace"))(
		"of one workspace leave room for those of another",
		async () => {
			const deployment = await openTestDeployment(built);
			endings.push(deployment.close);
			const [busy, quiet] = [await deployment.addWorkspace("busy"), await deployment.addWorkspace("quiet")];
			const server = await startHoldingServer();
			const many = await createSources(busy.send);
			const ids: string[] = [];
			for (let number = 0; number < 12; number += 1)
				ids.push(await many.add({ kind: "url", url: `${server.origin}/held/${number}.md` }));
			await expect.poll(() => server.held.size).toBe(2);
			const few = await createSources(quiet.send);
			const own = await few.add({ kind: "url", url: `${server.origin}/quiet.md` });
			expect((await few.waitForStatus(own, "succeeded")).last_sync?.counts.added).toBe(1);
			expect(server.held.size).toBe(2);
			server.release();
			for (const id of ids) await many.waitForStatus(id, "succeeded");
		},
	);

	it("keep their schedule when the service starts again", async () => {
		const folder = await mkdtemp(join(tmpdir(), "stemma-schedule-"));
		endings.push(() => rm(folder, { recursive: true }));
		const server = await startHoldingServer();
		const configuration = toTestConfiguration(built, folder, { outbound: { allow: ["127.0.0.1"] } });
		const first = await built.createService(configuration);
		const credentials = await first.createWorkspace("tests");
		const token = await fetchToken(sendTo(first.fetch), credentials);
		const sources = await createSources(sendTo(first.fetch, token));
		const source = await sources.add({ kind: "url", url: `${server.origin}/a.md` }, { every_minutes: 60 });
		const before = await sources.waitForStatus(source, "succeeded");
		await first.close(0);
		const second = await built.createService(configuration);
		const path = `/v1/knowledge-bases/${before.knowledge_base_id}/sources/${source}`;
		const get = async (service: built.Service) =>
			getBody<Source>(
				sendTo(service.fetch, await fetchToken(sendTo(service.fetch), credentials))("GET", path),
			);
		expect(await get(second)).toMatchObject({
			next_sync_at: before.next_sync_at,
			last_sync: { id: before.last_sync?.id },
		});
		await second.close(0);
		// An hour later.
		for (const file of listDatabases(folder)) makeDue(file);
		const third = await built.createService(configuration);
		endings.push(() => third.close(0));
		await expect
			.poll(async () => {
				const { last_sync } = await get(third);
				return last_sync?.id !== before.last_sync?.id && last_sync?.status;
			})
			.toBe("succeeded");
		const { next_sync_at } = await get(third);
		expect(Date.parse(next_sync_at ?? "")).toBeGreaterThan(Date.parse(before.last_sync?.ended_at ?? ""));
	});
});

/** Sets the time of the next sync of all sources in a file to the past. */
function makeDue(file: string): void {
	const database = new DatabaseSync(file);
	const hasSources = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sources'").get();
	if (hasSources !== undefined) database.exec("UPDATE sources SET next_sync_at = 1");
	database.close();
}
