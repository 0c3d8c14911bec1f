import type { StoredAgent } from "@stemma/client";
import type { AgentNode } from "@stemma/core";
import { beforeEach, describe, expect, it } from "vitest";
import type { AccessChange } from "../../access/access-repository";
import type { WorkspaceStore } from "../workspace-store";
import { toStoredFeedback } from "./feedback-contract";
import { toNewRun } from "./run-fixture";

const admit = (): void => undefined;
const CREATED = "2026-01-31T12:00:00.000Z";

const toAgent = (id: string, ...nodes: readonly AgentNode[]): StoredAgent => ({
	...{ id, slug: id.replace("_", "-"), name: id, description: null, version: 1 },
	...{ created_at: CREATED, updated_at: CREATED },
	graph: { nodes: [{ id: "in", kind: "coordinator" }, ...nodes], edges: [] },
});

const knows = (...knowledgeBases: [string, ...string[]]): AgentNode => ({
	...{ id: "pages", kind: "knowledge", knowledgeBases },
});

/** Node that calls an agent, with a text that a database may refuse. */
const calls = (agentId: string): AgentNode => ({
	...{ id: "other", kind: "remote", agentId, description: "A NUL \u0000, and its escape \\u0000." },
});

/**
 * Contract that each store keeps about what members may use: `ag_reader` knows `kb_1` by its slug, and `ag_caller` calls
 * `ag_reader` by its id. An agent has the slug of `kb_1`.
 *
 * @param open - an empty one.
 */
export function describeAccess(open: () => WorkspaceStore): void {
	describe("access of members", () => {
		let store: WorkspaceStore;
		beforeEach(async () => {
			store = open();
			for (const id of ["kb_1", "kb_2"]) await addKnowledgeBase(id);
			for (const agent of [
				toAgent("ag_reader", knows("kb-1")),
				toAgent("ag_caller", calls("ag_reader")),
				toAgent("ag_other", knows("kb_2")),
				// Names of agents and of knowledge bases are apart.
				{ ...toAgent("ag_twin"), slug: "kb-1" },
				toAgent("ag_twin_caller", calls("kb-1")),
			])
				await store.agents.insert(agent, { createdBy: "usr_ada" }, undefined);
		});

		const addKnowledgeBase = (id: string) =>
			store.knowledge.knowledgeBases.insert(
				{
					...{ id, slug: id.replace("_", "-"), name: id, description: null },
					...{ llm_provider: null, llm_model: "gpt-test", embedding: undefined, passage_count: 0 },
					documents: { total: 0, queued: 0, processing: 0, ready: 0, failed: 0 },
					...{ created_at: 1, updated_at: 1 },
				},
				{},
			);
		const limit = (kind: AccessChange["kind"], id: string, access: AccessChange["access"]) =>
			store.access.set({
				...{ kind, id, access },
				audit: { actor: "cl_1", action: "agent.access_changed", target: id },
			});
		const listHidden = async (userId: string) =>
			(await store.access.listHidden(userId)).map(({ id }) => id).toSorted();
		const addRun = (id: string, agent_id: string) =>
			store.runs.insert(toNewRun(id, { agent_id, started_by: "usr_ada" }), admit);
		const listRuns = async (visibleTo: string) =>
			(await store.runs.list({ limit: 9, visibleTo })).map(({ id }) => id);
		const listFeedback = async (visibleTo: string) =>
			(await store.feedback.list({ limit: 9, visibleTo })).map(({ id }) => id);

		it("hides what is limited to others, with the agents that need it, at whatever depth", async () => {
			expect(await listHidden("usr_bob")).toEqual([]);
			await limit("knowledge_base", "kb_1", { users: ["usr_ada"] });
			expect([await listHidden("usr_ada"), await listHidden("usr_bob")]).toEqual([
				[],
				["ag_caller", "ag_reader", "kb_1"],
			]);
			await limit("agent", "ag_other", { users: ["usr_bob"] });
			expect([await listHidden("usr_ada"), await listHidden("usr_bob")]).toEqual([
				["ag_other"],
				["ag_caller", "ag_reader", "kb_1"],
			]);
			await limit("knowledge_base", "kb_1", "all");
			expect(await listHidden("usr_bob")).toEqual([]);
			expect(await store.agents.find("ag_other")).toMatchObject({ access: { users: ["usr_bob"] } });
		});

		it("hides no agent, and no run of one, for a knowledge base that is deleted", async () => {
			await limit("knowledge_base", "kb_1", { users: ["usr_ada"] });
			await store.knowledge.knowledgeBases.delete("kb_1", 5);
			expect(await listHidden("usr_bob")).toEqual([]);
			await addRun("run_1", "ag_reader");
			expect(await listRuns("usr_bob")).toEqual(["run_1"]);
		});

		it("shows a run to those who may use all that it was made with, and to whoever has started it", async () => {
			await addRun("run_1", "ag_caller");
			await limit("knowledge_base", "kb_1", { users: ["usr_cyd"] });
			await addRun("run_2", "ag_caller");
			await addRun("run_3", "ag_other");
			expect(await listRuns("usr_bob")).toEqual(["run_3", "run_1"]);
			expect(await listRuns("usr_cyd")).toEqual(["run_3", "run_2", "run_1"]);
			expect(await listRuns("usr_ada")).toEqual(["run_3", "run_2", "run_1"]);
			expect([
				await store.runs.isVisible("run_2", "usr_bob"),
				await store.runs.isVisible("run_2", "usr_cyd"),
			]).toEqual([false, true]);
		});

		it("shows a run to others once what it was made with is for all, and not when that is gone", async () => {
			await limit("knowledge_base", "kb_1", { users: ["usr_ada"] });
			await addRun("run_1", "ag_reader");
			await limit("knowledge_base", "kb_1", "all");
			expect(await listRuns("usr_bob")).toEqual(["run_1"]);
			await store.knowledge.knowledgeBases.delete("kb_1", 5);
			expect(await listRuns("usr_bob")).toEqual([]);
		});

		it("shows feedback as the run that it is about", async () => {
			await limit("agent", "ag_other", { users: ["usr_cyd"] });
			await addRun("run_1", "ag_other");
			for (const [id, sent_by] of [
				["fb_1", "usr_ada"],
				["fb_2", "ck_1"],
			] as const)
				await store.feedback.put(toStoredFeedback(id, { sent_by, agent_id: "ag_other" }));
			expect([
				await listFeedback("usr_bob"),
				await listFeedback("usr_ada"),
				await listFeedback("usr_cyd"),
			]).toEqual([[], ["fb_1"], ["fb_2", "fb_1"]]);
		});

		it("limits the runs and feedback of an agent that is deleted as it was limited", async () => {
			await addRun("run_1", "ag_other");
			await store.feedback.put(toStoredFeedback("fb_1", { sent_by: "ck_1", agent_id: "ag_other" }));
			await limit("agent", "ag_other", { users: ["usr_cyd"] });
			expect([await listRuns("usr_bob"), await listFeedback("usr_bob")]).toEqual([["run_1"], ["fb_1"]]);
			await store.agents.delete("ag_other");
			expect([await listRuns("usr_bob"), await listFeedback("usr_bob")]).toEqual([[], []]);
		});
	});
}
