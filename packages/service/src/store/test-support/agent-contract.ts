import type { StoredAgent } from "@stemma/client";
import type { AgentGraph } from "@stemma/core";
import { describe, expect, it } from "vitest";
import { type AgentRepository, MAX_AGENT_VERSIONS } from "../../agents/agent-repository";
import type { IdempotencyRepository } from "../idempotency-repository";
import { ConstraintError } from "../storage-error";
import { toIdempotencyRecord } from "./idempotency-contract";

const toGraph = (name: string): AgentGraph => ({
	name,
	nodes: [{ id: "in", kind: "coordinator" }],
	edges: [],
});
const CREATED = "2026-01-31T12:00:00.123Z";
const toAgent = (id: string, slug: string): StoredAgent => ({
	id,
	slug,
	name: slug,
	description: null,
	version: 1,
	created_at: CREATED,
	updated_at: CREATED,
	graph: toGraph(slug),
});
const ADA = { createdBy: "usr_ada" };
const desk = toAgent("ag_2", "desk");

/** Contract that each store of agents keeps. @param open - an empty one, with the requests of the same workspace. */
export function describeAgentRepository(
	open: () => { readonly agents: AgentRepository; readonly idempotency: IdempotencyRepository },
): void {
	describe("a repository of agents", () => {
		it("finds an agent by its id and its slug, as it was stored, and lists all in the order of their ids", async () => {
			const { agents } = open();
			for (const agent of [desk, toAgent("ag_1", "harbour"), toAgent("ag_3", "desk-2")])
				await agents.insert(agent, ADA, undefined);
			expect([await agents.find("ag_2"), await agents.find("desk")]).toEqual([desk, desk]);
			expect([await agents.find("ag_4"), await agents.find("des")]).toEqual([undefined, undefined]);
			const { graph: _, ...summary } = desk;
			const page = await agents.list({ limit: 1, after: "ag_1" });
			expect(page).toEqual([summary, expect.objectContaining({ id: "ag_3" })]);
			expect(await agents.list({ limit: 1, after: undefined })).toHaveLength(2);
			expect([...(await agents.listSlugs("desk"))].sort()).toEqual(["desk", "desk-2"]);
		});

		it("lists the agents that name a knowledge base in a node, and not in other texts", async () => {
			const { agents } = open();
			const toUser = (id: string, ...knowledgeBases: [string, ...string[]]): StoredAgent => ({
				...toAgent(id, id.replace("_", "-")),
				graph: {
					nodes: [
						{ id: "in", kind: "coordinator", instructions: 'Say "rules".' },
						{ id: "pages", kind: "knowledge", knowledgeBases },
					],
					edges: [{ from: "in", to: "pages" }],
				},
			});
			for (const agent of [toUser("ag_1", "kb_1"), toUser("ag_2", "fees", "rules"), toUser("ag_3", "fees")])
				await agents.insert(agent, ADA, undefined);
			const toIds = async (...names: string[]) => (await agents.listUsers(names)).map(({ id }) => id);
			expect(await toIds("kb_1", "rules")).toEqual(["ag_1", "ag_2"]);
			expect(await toIds("fees")).toEqual(["ag_2", "ag_3"]);
			expect(await toIds("kb_2", "rule")).toEqual([]);
		});

		it("stores the record of a request with the agent, or neither", async () => {
			const { agents, idempotency } = open();
			const [stored, refused] = [toIdempotencyRecord({ key: "1" }), toIdempotencyRecord({ key: "2" })];
			await agents.insert(desk, ADA, stored);
			await expect(agents.insert(toAgent("ag_5", "desk"), ADA, refused)).rejects.toThrow(ConstraintError);
			expect(await idempotency.find(stored, 0)).toEqual(stored);
			expect(await idempotency.find(refused, 0)).toBeUndefined();
			expect(await agents.find("ag_5")).toBeUndefined();
		});

		it("counts another graph as another version, and takes no slug of another agent", async () => {
			const { agents } = open();
			await agents.insert(desk, ADA, undefined);
			await agents.insert(toAgent("ag_1", "harbour"), ADA, undefined);
			const updated_at = "2026-02-01T00:00:00.000Z";
			const same = await agents.replace("ag_2", {
				...ADA,
				...{ graph: desk.graph, slug: "front-desk", updated_at },
			});
			expect(same).toEqual({ ...desk, slug: "front-desk", updated_at });
			const graph = { ...toGraph("office"), description: "All of it." };
			const other = await agents.replace("ag_2", { ...ADA, graph, slug: "front-desk", updated_at });
			expect(other).toMatchObject({ graph, version: 2, name: "office", description: "All of it." });
			await expect(agents.replace("ag_2", { ...ADA, graph, slug: "harbour", updated_at })).rejects.toThrow(
				ConstraintError,
			);
			expect(await agents.find("ag_2")).toEqual(other);
			expect(await agents.replace("ag_9", { ...ADA, graph, slug: "none", updated_at })).toBeUndefined();
		});

		it("replaces the version that is expected alone", async () => {
			const { agents } = open();
			await agents.insert(desk, ADA, undefined);
			const replacement = { ...ADA, graph: toGraph("office"), slug: desk.slug, updated_at: desk.updated_at };
			const replaced = await agents.replace(desk.id, { ...replacement, expectedVersion: 1 });
			expect(replaced).toMatchObject({ version: 2, name: "office" });
			const late = { ...replacement, graph: toGraph("lost"), expectedVersion: 1 };
			expect(await agents.replace(desk.id, late)).toBeUndefined();
			expect(await agents.find(desk.id)).toEqual(replaced);
		});

		it("keeps each graph of an agent as a version, with its author and the reason", async () => {
			const { agents } = open();
			await agents.insert(desk, { ...ADA, note: "First." }, undefined);
			await agents.insert(toAgent("ag_1", "harbour"), ADA, undefined);
			const updated_at = "2026-02-01T00:00:00.000Z";
			const change = { slug: desk.slug, updated_at };
			await agents.replace(desk.id, { ...change, ...ADA, graph: desk.graph, note: "The same." });
			await agents.replace(desk.id, { ...change, createdBy: "cl_1", graph: toGraph("office") });
			await agents.replace(desk.id, { ...change, ...ADA, graph: desk.graph, restoredFrom: 1, note: "Back." });
			const first = {
				...{ agent_id: desk.id, number: 1, name: "desk", note: "First.", created_by: "usr_ada" },
				...{ restored_from: null, created_at: CREATED },
			};
			const second = { ...first, number: 2, name: "office", note: null, created_by: "cl_1" };
			const third = { ...first, number: 3, note: "Back.", restored_from: 1 };
			expect(await agents.listVersions(desk.id, { limit: 5 })).toEqual([
				{ ...third, created_at: updated_at },
				{ ...second, created_at: updated_at },
				first,
			]);
			const page = await agents.listVersions(desk.id, { limit: 1, before: 3 });
			expect(page.map(({ number }) => number)).toEqual([2, 1]);
			expect(await agents.findVersion(desk.id, 1)).toEqual({ ...first, graph: desk.graph });
			expect(await agents.findVersion(desk.id, 4)).toBeUndefined();
			expect(await agents.findVersion("ag_1", 2)).toBeUndefined();
		});

		it("keeps the newest versions, and none of a change that was refused", async () => {
			const { agents } = open();
			await agents.insert(desk, ADA, undefined);
			const { slug, updated_at } = desk;
			for (let number = 2; number <= MAX_AGENT_VERSIONS + 2; number += 1)
				await agents.replace(desk.id, { ...ADA, slug, updated_at, graph: toGraph(`${number}`) });
			const late = { ...ADA, slug, updated_at, graph: toGraph("late"), expectedVersion: 1 };
			expect(await agents.replace(desk.id, late)).toBeUndefined();
			const kept = await agents.listVersions(desk.id, { limit: 1_000 });
			expect([kept.length, kept[0]?.number, kept.at(-1)?.number]).toEqual([
				...[MAX_AGENT_VERSIONS, MAX_AGENT_VERSIONS + 2, 3],
			]);
		});

		it("deletes an agent with its versions, and frees its slug", async () => {
			const { agents } = open();
			await agents.insert(desk, ADA, undefined);
			await agents.delete(desk.id);
			expect(await agents.find("desk")).toBeUndefined();
			expect(await agents.listVersions(desk.id, { limit: 5 })).toEqual([]);
			await agents.insert(toAgent("ag_7", "desk"), ADA, undefined);
		});
	});
}
