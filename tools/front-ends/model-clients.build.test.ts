import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as built from "@stemma/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
// biome-ignore lint/style/noRestrictedImports: supports of tests, which no package exports
import * as answering from "../../packages/service/src/test-support/answering-fixture";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const isInstalled = existsSync(here("node_modules"));

interface Access {
	readonly origin: string;
	readonly apiKey: string;
	readonly fetch: answering.AnsweringFixture["fetch"];
	readonly model: string;
}
interface Answer {
	readonly text: string;
	/** Addresses of the sources; `undefined` for a client that shows none. */
	readonly urls: readonly string[] | undefined;
}
interface Client {
	ask(access: Access, prompt: string): Promise<Answer & { readonly tokens: number }>;
	stream(access: Access, prompt: string): Promise<Answer & { readonly pieces: number }>;
	/** Texts of a conversation. */
	continue(access: Access, prompts: readonly string[]): Promise<readonly string[]>;
	callTool(
		access: Access,
		prompt: string,
	): Promise<{ readonly text: string; readonly calls: readonly unknown[] }>;
}
const NAMES = [
	"aiSdkChat",
	"aiSdkResponses",
	"aiSdkAnthropic",
	"anthropic",
	"langChainChat",
	"langChainResponses",
] as const;
type Program = Readonly<Record<(typeof NAMES)[number], Client>> & {
	readonly anthropic: Client & {
		countTokens(access: Access, prompt: string): Promise<{ readonly input_tokens: number }>;
	};
};

let fixture: answering.AnsweringFixture;
let program: Program;
beforeAll(async () => {
	if (!isInstalled) return;
	program = (await import(/* @vite-ignore */ here("programs/model-clients.mjs"))) as Program;
	fixture = await answering.startAnsweringFixture(built);
});
afterAll(() => fixture?.close());

const toAccess = (model: string, apiKey = fixture.token): Access => ({
	origin: "http://service.test",
	apiKey,
	fetch: fixture.fetch,
	model,
});
const question = "How long does a refund take?";
const CITED = "It takes five working days [1].";
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
	work.then(
		() => undefined,
		(error: unknown) => error,
	);

describe.skipIf(!isInstalled).each(NAMES)("the client %s, unchanged", (name) => {
	it.each(["default", "agent:plain"])("gets an answer of %s, whole and in pieces", async (model) => {
		const reply = { kind: "reply", text: "Good morning, everybody." } as const;
		fixture.vendor.enqueue(reply, reply);
		const { text, tokens } = await program[name].ask(toAccess(model), "Hello?");
		expect(text).toBe("Good morning, everybody.");
		expect(tokens).toBeGreaterThan(0);
		const streamed = await program[name].stream(toAccess(model), "Hello?");
		expect(streamed.text).toBe("Good morning, everybody.");
		expect(streamed.pieces).toBeGreaterThan(1);
	});

	it.each(["agent:cited", "kb:handbook"])("gets the sources of %s", async (model) => {
		const reply = { kind: "reply", text: CITED } as const;
		fixture.vendor.enqueue(reply, reply);
		for (const { text, urls = [answering.HANDBOOK_URL] } of [
			await program[name].ask(toAccess(model), question),
			await program[name].stream(toAccess(model), question),
		]) {
			expect(text).toBe(CITED);
			expect(urls).toEqual([answering.HANDBOOK_URL]);
		}
	});

	it.each(["default", "agent:plain"])("goes on in a conversation with %s", async (model) => {
		fixture.vendor.enqueue({ kind: "reply", text: "Good morning." }, { kind: "reply", text: "As I said." });
		const texts = await program[name].continue(toAccess(model), ["Hello?", "Again?"]);
		expect(texts).toEqual(["Hello?", "Good morning.", "Again?", "As I said."]);
		expect(fixture.vendor.requests.at(-1)?.body).toMatchObject({
			messages: [{ content: "Hello?" }, { content: "Good morning." }, { content: "Again?" }],
		});
	});

	it("has a model call its tool", async () => {
		const call = { id: "call_1", name: "clock", arguments: { zone: "UTC" } };
		fixture.vendor.enqueue({ kind: "reply", toolCalls: [call] }, { kind: "reply", text: "Noon." });
		expect(await program[name].callTool(toAccess("default"), "What time is it?")).toEqual({
			text: "Noon.",
			calls: [{ zone: "UTC" }],
		});
		expect(fixture.vendor.requests.at(-1)?.body).toMatchObject({
			messages: [{}, { tool_calls: [{ id: "call_1" }] }, { role: "tool", content: "12:00" }],
		});
	});

	it("gets an error where an agent is to call its tool, and where a run fails", async () => {
		expect(await failureOf(program[name].callTool(toAccess("agent:plain"), "?"))).toMatchObject({
			[name.startsWith("aiSdk") ? "statusCode" : "status"]: 400,
		});
		const fail = { kind: "failure", status: 400, message: "No." } as const;
		fixture.vendor.enqueue(fail, fail);
		const before = (await fixture.runs("plain")).length;
		expect(await failureOf(program[name].ask(toAccess("agent:plain"), "?"))).toBeInstanceOf(Error);
		expect(await failureOf(program[name].stream(toAccess("agent:plain"), "?"))).toBeDefined();
		expect((await fixture.runs("plain")).length).toBe(before + 2);
	});

	it("asks with a client key", async () => {
		fixture.vendor.enqueue({ kind: "reply", text: CITED });
		const key = await fixture.makeKey({ agents: ["cited"], knowledge_base_ids: [fixture.handbook] });
		expect((await program[name].ask(toAccess("agent:cited", key), question)).text).toBe(CITED);
		expect(await failureOf(program[name].ask(toAccess("default", key), "?"))).toBeInstanceOf(Error);
	});
});

it.skipIf(!isInstalled)("Anthropic's client counts tokens at most", async () => {
	const { input_tokens } = await program.anthropic.countTokens(toAccess("default"), "word ".repeat(100));
	expect(input_tokens).toBeGreaterThan(200);
});
