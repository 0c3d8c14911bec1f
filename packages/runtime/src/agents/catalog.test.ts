import { describe, expect, it } from "vitest";
import { parseAgentFile } from "../folder/parse-agent-file";
import {
	createCatalog,
	EMPTY_CATALOG,
	findEntries,
	isReady,
	isStale,
	type PrepareAgent,
	updateEntry,
} from "./catalog";
import type { RunnableAgent } from "./runnable-agent";

const graph = { nodes: [{ id: "a", kind: "coordinator" }] };
const notUsed = (): never => {
	throw new Error("not used");
};
const agent: RunnableAgent = { isRemote: false, start: notUsed, resume: notUsed };
const prepare: PrepareAgent = ({ definition, issues }) =>
	definition === undefined ? { issues } : { agent: { ...agent }, issues };

const update = (files: Readonly<Record<string, unknown>>, before = EMPTY_CATALOG, removed?: Set<string>) =>
	createCatalog(
		new Map(
			Object.entries(files).map(([stem, content]) => {
				const file = `${stem}.json`;
				const parsed = parseAgentFile({ file, bytes: new TextEncoder().encode(JSON.stringify(content)) });
				return [file, updateEntry(before.files.get(file), parsed, prepare)];
			}),
		),
		before,
		removed,
	);

const states = ({ entries }: ReturnType<typeof update>) =>
	Object.fromEntries(entries.map((entry) => [entry.file, isReady(entry) ? "ready" : "invalid"]));

describe("names", () => {
	it("of a manifest are its id and the id that it stands for", () => {
		const catalog = update({ desk: { remoteAgentId: "ag_1", id: "help" } });
		expect(findEntries(catalog, "help")).toHaveLength(1);
		expect(findEntries(catalog, "ag_1")).toHaveLength(1);
		expect(findEntries(catalog, "desk")).toEqual([]);
	});

	it("that another file has are that file's, valid or not", () => {
		const valid = update({ desk: { remoteAgentId: "ag_1" }, ag_1: graph });
		expect(findEntries(valid, "ag_1")).toMatchObject([{ file: "ag_1.json" }]);
		const invalid = update({ desk: { remoteAgentId: "ag_1" }, ag_1: { nodes: [] } });
		expect(findEntries(invalid, "ag_1")).toMatchObject([{ file: "ag_1.json" }]);
	});

	it("that two files have make both invalid, each naming the other", () => {
		const catalog = update({ desk: graph, other: { remoteAgentId: "ag_1", id: "desk" }, third: graph });
		expect(states(catalog)).toEqual({
			"desk.json": "invalid",
			"other.json": "invalid",
			"third.json": "ready",
		});
		expect(catalog.entries[0]?.issues[0]?.message).toContain('"other.json"');
		expect(catalog.entries[1]?.issues[0]?.message).toContain('"desk.json"');
		expect(findEntries(catalog, "desk")).toHaveLength(2);
	});

	it("that thousands of files share are told in a line", () => {
		const many = Object.fromEntries(
			Array.from({ length: 2000 }, (_, index) => [`a${index}`, { remoteAgentId: "ag_1", id: "desk" }]),
		);
		const catalog = update(many);
		expect(catalog.ready).toBe(0);
		expect(catalog.entries[0]?.issues[0]?.message).toBe(
			'"a1.json" and "a2.json" and "a3.json" and 1996 more have the id "desk" too. Rename one.',
		);
	});

	it("that a broken file seems to have take no other down", () => {
		const catalog = update({ desk: { nodes: [] }, other: { remoteAgentId: "ag_1", id: "desk" } });
		expect(states(catalog)).toEqual({ "desk.json": "invalid", "other.json": "ready" });
		expect(findEntries(catalog, "desk")).toMatchObject([{ file: "other.json" }]);
	});
});

describe("changes", () => {
	it("keep what did not change", () => {
		const before = update({ desk: graph, other: graph });
		const after = update({ desk: graph, other: { ...graph, name: "b" } }, before);
		expect(after.entries[0]).toBe(before.entries[0]);
		expect(after.entries[1]).toMatchObject({ revision: 2, name: "b" });
	});

	it("for the worse leave the last good version running, and show what is wrong", () => {
		const before = update({ desk: graph });
		const bad = update({ desk: { nodes: [] } }, before);
		expect(bad.entries[0]).toMatchObject({
			agent: before.entries[0]?.agent,
			version: before.entries[0]?.version,
			revision: 1,
			issues: [{ path: ["nodes"] }],
		});
		expect(update({ desk: graph }, bad).entries[0]).toMatchObject({ issues: [] });
		expect(update({ desk: graph }, bad).entries[0]?.agent).toBe(before.entries[0]?.agent);
		const better = update({ desk: { ...graph, name: "b" } }, update({ desk: { nodes: [] } }, bad));
		expect(better.entries[0]).toMatchObject({ issues: [], revision: 2, name: "b" });
	});

	it("back to what runs have the issues again that it had", () => {
		const issue = { code: "secret_missing", message: "It needs one.", path: [] };
		const file = (text: string) =>
			parseAgentFile({ file: "desk.json", bytes: new TextEncoder().encode(text) });
		const warn: PrepareAgent = (parsed) => ({ ...prepare(parsed), issues: [...parsed.issues, issue] });
		const before = updateEntry(undefined, file(JSON.stringify(graph)), warn);
		const bad = updateEntry(before, file("{"), prepare);
		expect([isStale(before), isStale(bad)]).toEqual([false, true]);
		const after = updateEntry(bad, file(JSON.stringify(graph)), warn);
		expect(after).toMatchObject({ agent: before.agent, issues: [issue], revision: 1 });
		expect(isStale(after)).toBe(false);
	});

	it("let a file that may be gone give its id to its successor, and to nobody as long as there is none", () => {
		const before = update({ desk: graph });
		const moved = { desk: graph, copy: { remoteAgentId: "ag_1", id: "desk" } };
		const after = update(moved, before, new Set(["desk.json"]));
		expect(after.entries).toMatchObject([{ file: "copy.json", issues: [] }]);
		expect(findEntries(after, "desk")).toMatchObject([{ file: "copy.json" }]);
		expect(states(update({ desk: graph }, before, new Set(["desk.json"])))).toEqual({ "desk.json": "ready" });
	});

	it("that take a name away from a running agent are refused", () => {
		const before = update({ desk: graph });
		const after = update({ desk: graph, copy: { remoteAgentId: "ag_1", id: "desk" } }, before);
		expect(states(after)).toEqual({ "desk.json": "ready", "copy.json": "invalid" });
		expect(after.entries[0]?.issues[0]?.code).toBe("duplicate_id");
		expect(update({ copy: { remoteAgentId: "ag_1", id: "desk" } }, after).entries).toMatchObject([
			{ file: "copy.json", issues: [] },
		]);
		expect(update({ desk: graph }, after).entries).toMatchObject([{ file: "desk.json", issues: [] }]);
	});
});
