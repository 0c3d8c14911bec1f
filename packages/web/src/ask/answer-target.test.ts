import { expect, it } from "vitest";
import {
	ALL_KNOWLEDGE,
	type AnswerChoices,
	parseTarget,
	readThreadTarget,
	toAvailable,
	toKnowledgeBaseIds,
	toThreadFields,
} from "./answer-target";

const choices = {
	knowledgeBases: [{ id: "kb_1" }, { id: "kb_2" }],
	agents: [{ id: "ag_1" }],
} as unknown as AnswerChoices;

it("is all knowledge bases where nothing else is stored", () => {
	for (const stored of [undefined, null, "x", {}, { kind: "agent" }, { kind: "knowledge", ids: "x" }])
		expect(parseTarget(stored)).toEqual(ALL_KNOWLEDGE);
	expect(toKnowledgeBaseIds([], choices)).toEqual(["kb_1", "kb_2"]);
});

it("leaves out what is gone", () => {
	expect(toAvailable({ kind: "agent", id: "ag_1" }, choices)).toEqual({ kind: "agent", id: "ag_1" });
	expect(toAvailable({ kind: "agent", id: "ag_2" }, choices)).toEqual(ALL_KNOWLEDGE);
	expect(toAvailable({ kind: "knowledge", ids: ["kb_2", "kb_3"] }, choices)).toEqual({
		kind: "knowledge",
		ids: ["kb_2"],
	});
});

it("is that of its thread when the thread is opened again", () => {
	const stored = (fields: ReturnType<typeof toThreadFields>) =>
		readThreadTarget({ agent_id: null, metadata: {}, ...fields });
	for (const target of [
		ALL_KNOWLEDGE,
		{ kind: "knowledge", ids: ["kb_1", "kb_2"] },
		{ kind: "agent", id: "ag_1" },
	] as const)
		expect(stored(toThreadFields(target))).toEqual(target);
	const many = Array.from({ length: 100 }, (_, number) => `kb_${number}`);
	expect(stored(toThreadFields({ kind: "knowledge", ids: many }))).toEqual(ALL_KNOWLEDGE);
});
