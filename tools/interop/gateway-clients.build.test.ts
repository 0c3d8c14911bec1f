import * as built from "@stemma/service";
import type { Behaviour } from "@stemma/simulators/openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
// biome-ignore lint/style/noRestrictedImports: supports of tests, which no package exports
import * as gateways from "../../packages/service/src/test-support/test-gateway";
import { isInstalled, toProgram } from "./peers";

interface Access {
	readonly baseURL: string;
	readonly apiKey: string;
}
type Clients = Readonly<Record<string, (access: Access) => Promise<unknown>>>;
interface Programs {
	readonly aiSdk: Clients;
	readonly langChain: Clients;
	readonly instructor: Clients;
	readonly agents: Clients;
	readonly openAi: Readonly<Record<string, Clients>>;
}

const LOCATION = { city: "Aarhus", year: 1441 };
const TEXT: Behaviour = { kind: "reply", text: "Aarhus." };
const JSON_TEXT: Behaviour = { kind: "reply", text: JSON.stringify(LOCATION) };
const CALL: Behaviour = { kind: "reply", toolCalls: [{ name: "locate", arguments: LOCATION }] };
const CALLS = [["locate", LOCATION]];
const NAMED = { type: "function", function: { name: "locate" } };
const toSchema = (strict: boolean) => ({ type: "json_schema", json_schema: { strict } });

let gateway: gateways.TestGateway;
let programs: Programs;
beforeAll(async () => {
	if (!isInstalled) return;
	programs = (await import(/* @vite-ignore */ toProgram("gateway-clients"))) as Programs;
	gateway = await gateways.startTestGateway(built);
});
afterAll(() => gateway?.close());

/** What a client makes of the vendor's replies, and what the vendor was sent for the first of them. */
async function use(clients: Clients, name: string, ...replies: readonly Behaviour[]) {
	const before = gateway.deploymentVendor.requests.length;
	gateway.deploymentVendor.enqueue(...replies);
	const client = clients[name];
	if (client === undefined) throw new Error(`There is no client "${name}".`);
	const result = await client({ baseURL: gateway.baseURL, apiKey: gateway.token });
	const sent = gateway.deploymentVendor.requests.slice(before);
	expect(sent.map(({ rejection }) => rejection)).toEqual(replies.map(() => undefined));
	return { result, sent: sent[0]?.body ?? {} };
}

describe.skipIf(!isInstalled)("the AI SDK, by its defaults", () => {
	it.each(["generateObject", "streamObject", "outputObject"])("gets an object: %s", async (name) => {
		const { result, sent } = await use(programs.aiSdk, name, JSON_TEXT);
		expect(result).toEqual(LOCATION);
		expect(sent).toMatchObject({ response_format: { type: "json_object" } });
	});

	it("hands on its settings", async () => {
		const { result, sent } = await use(programs.aiSdk, "settings", TEXT);
		expect(result).toBe("Aarhus.");
		expect(sent).toMatchObject({
			...{ temperature: 0.5, top_p: 0.5, seed: 7, stop: ["END"] },
			...{ frequency_penalty: 0.5, presence_penalty: 0.5 },
		});
	});

	it.each([
		["toolAuto", undefined],
		["toolRequired", "required"],
		["toolNamed", NAMED],
	])("calls tools: %s", async (name, choice) => {
		const { result, sent } = await use(programs.aiSdk, name, CALL);
		expect(result).toEqual(CALLS);
		expect(sent.tool_choice).toEqual(choice);
	});
});

describe.skipIf(!isInstalled)("LangChain", () => {
	it.each([
		["functionCalling", CALL, { tool_choice: NAMED }],
		["jsonMode", JSON_TEXT, { response_format: { type: "json_object" } }],
		["jsonSchema", JSON_TEXT, { response_format: toSchema(true) }],
	] as const)("gets structured output: %s", async (name, reply, asked) => {
		const { result, sent } = await use(programs.langChain, name, reply);
		expect(result).toEqual(LOCATION);
		expect(sent).toMatchObject(asked);
	});

	it("hands on its settings", async () => {
		const { sent } = await use(programs.langChain, "settings", TEXT);
		expect(sent).toMatchObject({
			...{ temperature: 0.5, top_p: 0.5, stop: ["END"] },
			...{ frequency_penalty: 0.5, presence_penalty: 0.5 },
		});
	});

	it.each([
		["toolAuto", undefined],
		["toolRequired", "required"],
		["toolAny", "required"],
		["toolNamed", NAMED],
	])("calls bound tools: %s", async (name, choice) => {
		const { result, sent } = await use(programs.langChain, name, CALL);
		expect(result).toEqual(CALLS);
		expect(sent.tool_choice).toEqual(choice);
	});
});

describe.skipIf(!isInstalled)("Instructor", () => {
	it.each([
		["TOOLS", CALL, { tool_choice: NAMED }],
		["FUNCTIONS", CALL, { tool_choice: NAMED, tools: [NAMED] }],
		["JSON", JSON_TEXT, { response_format: { type: "json_object" } }],
		["JSON_SCHEMA", JSON_TEXT, { response_format: {} }],
		["MD_JSON", { kind: "reply", text: `\`\`\`json\n${JSON.stringify(LOCATION)}\n\`\`\`` }, {}],
	] as const)("extracts in the mode %s", async (mode, reply, asked) => {
		const { result, sent } = await use(programs.instructor, mode, reply);
		expect(result).toEqual(LOCATION);
		expect(sent).toMatchObject(asked);
	});
});

describe.skipIf(!isInstalled)("the OpenAI Agents SDK, over chat completions", () => {
	it("gets output of a type", async () => {
		const { result, sent } = await use(programs.agents, "outputType", JSON_TEXT);
		expect(result).toEqual(LOCATION);
		expect(sent).toMatchObject({ response_format: toSchema(true) });
	});

	it("calls a tool and goes on", async () => {
		const { result, sent } = await use(programs.agents, "tool", CALL, TEXT);
		expect(result).toBe("Aarhus.");
		expect(sent).toMatchObject({ tool_choice: "required", top_p: 0.5, parallel_tool_calls: false });
	});
});

describe.skipIf(!isInstalled).each(["4", "6", "7"])("openai %s", (version) => {
	const clients = (): Clients => programs.openAi[version] ?? {};

	it("hands on its settings", async () => {
		const { result, sent } = await use(clients(), "settings", TEXT);
		expect(result).toBe("Aarhus.");
		expect(sent).toMatchObject({
			...{ temperature: 1.5, top_p: 0.5, seed: 7, stop: ["END"], reasoning_effort: "low" },
			...{ frequency_penalty: 0.5, presence_penalty: 0.5, logit_bias: { 42: -100 } },
		});
	});

	it("streams, gets JSON of a schema, and calls a tool by name", async () => {
		expect((await use(clients(), "stream", TEXT)).result).toBe("Aarhus.");
		const output = await use(clients(), "jsonSchema", JSON_TEXT);
		expect(output.result).toEqual(LOCATION);
		expect(output.sent).toMatchObject({ response_format: toSchema(true) });
		const call = await use(clients(), "toolNamed", CALL);
		expect(call.result).toEqual(CALLS);
		expect(call.sent).toMatchObject({ tool_choice: NAMED, tools: [{ function: { strict: true } }] });
	});

	it("reads one model, and errors", async () => {
		expect((await use(clients(), "model")).result).toBe("default");
		expect((await use(clients(), "error")).result).toEqual([
			400,
			"invalid_request_error",
			"unsupported_parameter",
			"n",
		]);
	});
});
