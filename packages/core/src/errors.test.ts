import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import {
	AgentGraphError,
	ConfigurationError,
	formatPath,
	isStemmaError,
	RunFailedError,
	StemmaError,
} from "./errors";
import type { RunResult } from "./run/run-result";

const usage = { input_tokens: 0, output_tokens: 0, model_calls: 0, steps: 0 };
const result: RunResult = {
	run_id: "run_1",
	status: "failed",
	output: null,
	citations: [],
	usage,
	receipt: [],
	error: { code: "max_steps", message: "The run took 64 steps.", hint: "Raise limits.maxSteps." },
};
const issue = { code: "self_loop", message: "No.", path: ["edges", 3] } as const;
const cause = new TypeError("underneath");

const errors = {
	StemmaError: new StemmaError("m", { code: "c", hint: "h", cause }),
	ConfigurationError: new ConfigurationError("m"),
	AgentGraphError: new AgentGraphError([issue], "desk"),
	RunFailedError: new RunFailedError(result),
};

describe.each(Object.entries(errors))("%s", (name, error) => {
	test("has its name wherever it is shown", () => {
		expect(error.name).toBe(name);
		expect(String(error)).toBe(`${name}: ${error.message}`);
		expect(error.stack?.startsWith(`${name}: ${error.message}`)).toBe(true);
		expect(inspect(error)).toMatch(new RegExp(`^${name}: `));
		expect(Object.keys(error)).not.toContain("name");
	});
	test("is a Stemma error and an Error", () => {
		expect(isStemmaError(error)).toBe(true);
		expect(error).toBeInstanceOf(Error);
	});
	test("is told apart from the others", () => {
		const classes = { ConfigurationError, AgentGraphError, RunFailedError };
		for (const [other, { is }] of Object.entries(classes)) expect(is(error)).toBe(other === name);
	});
	test("takes a new name, as some loggers give", () => {
		expect(Object.assign(error, { name: "Renamed" }).name).toBe("Renamed");
	});
});

test.each([
	[4000, 4000],
	[4001, 4001],
	[10_000_000, 4001],
])("a message of %i characters, and its hint, is one of %i", (length, shown) => {
	const error = new StemmaError("m".repeat(length), { code: "c", hint: "h".repeat(length) });
	expect([error.message.length, error.hint?.length]).toEqual([shown, shown]);
	expect(error.message.endsWith("…")).toBe(length > 4000);
	expect(error.stack?.length).toBeLessThan(10_000);
});

test.each([null, 7, {}])("a failed run that gives %j for a reason is still a RunFailedError", (message) => {
	const error = new RunFailedError({ ...result, error: { code: "c", message: message as never } });
	expect(error).toMatchObject({ code: "c", message: String(message) });
});

test("anything else is no Stemma error", () => {
	const others = [new Error("x"), { code: "c", message: "m" }, null, undefined, "error", 1];
	for (const other of others) expect(isStemmaError(other)).toBe(false);
});

test("JSON that pretends to be one is none", () => {
	const pretended = JSON.parse('{"constructor": {"stemmaName": "StemmaError"}, "stemmaName": "StemmaError"}');
	expect(isStemmaError(pretended)).toBe(false);
});

test("a class of one's own is known as those above it, and has the name that it gives", () => {
	class PlainError extends ConfigurationError {}
	class NamedError extends ConfigurationError {
		static override readonly stemmaName = "NamedError";
	}
	for (const error of [new PlainError("m"), new NamedError("m")]) {
		expect([ConfigurationError.is(error), isStemmaError(error), RunFailedError.is(error)]).toEqual([
			true,
			true,
			false,
		]);
	}
	expect([new PlainError("m").name, new NamedError("m").name]).toEqual(["ConfigurationError", "NamedError"]);
	expect(ConfigurationError.is(Object.assign(new PlainError("m"), { name: "Renamed" }))).toBe(true);
});

test("JSON has the message, and not the cause", () => {
	const error = new StemmaError("m", { code: "c", hint: "h", cause });
	expect(JSON.parse(JSON.stringify(error))).toEqual({
		name: "StemmaError",
		message: "m",
		code: "c",
		hint: "h",
	});
	expect(JSON.parse(JSON.stringify(new AgentGraphError([issue])))).toEqual({
		name: "AgentGraphError",
		message: "The agent graph has 1 problem:\n  edges[3]: No.",
		code: "agent_invalid",
		issues: [issue],
	});
});

test("the cause is kept, and is absent where there is none", () => {
	expect(errors.StemmaError.cause).toBe(cause);
	expect("cause" in new StemmaError("m", { code: "c" })).toBe(false);
});

test("a failed run's error speaks for the run", () => {
	const { code, message, hint } = new RunFailedError(result);
	expect({ code, message, hint }).toEqual(result.error);
	const { error: _, ...without } = result;
	expect(new RunFailedError(without)).toMatchObject({ code: "run_failed", message: "The run failed." });
});

test("paths read as in JavaScript", () => {
	expect(formatPath([])).toBe("(graph)");
	expect(formatPath(["nodes", 3, "model", "a b", "x"])).toBe('nodes[3].model["a b"].x');
});

test("the message lists 20 problems at the most and counts the rest", () => {
	const { message } = new AgentGraphError(Array.from({ length: 25 }, () => issue));
	expect(message.split("\n")).toHaveLength(22);
	expect(message).toMatch(/has 25 problems:\n/);
	expect(message).toMatch(/\n {2}… and 5 more in error\.issues$/);
	const long = { ...issue, message: "x".repeat(300) };
	const cut = new AgentGraphError(Array.from({ length: 25 }, () => long)).message;
	expect(cut.length).toBeLessThan(3_000);
	const shown = cut.split("\n").length - 2;
	expect(cut).toContain(`and ${25 - shown} more`);
});
