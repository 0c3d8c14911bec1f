import type { ChatRequest } from "@stemma/core";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Fields } from "../http/lenient-json";
import { ProviderError } from "../provider-error";
import { collect } from "../test-support/chat-model-contract";
import { type CapabilityCache, createCapabilityCache } from "./capability-cache";
import { createOpenAiCompatibleModel } from "./create";
import type { OpenAiCompatibleOptions } from "./options";

const REQUEST: ChatRequest = {
	messages: [{ role: "user", content: "What does it cost?" }],
	tools: [{ name: "faq", parameters: { type: "object" } }],
	toolChoice: "none",
	outputSchema: { type: "object", properties: {} },
	temperature: 0,
	maxOutputTokens: 50,
};
const BODY = { choices: [{ index: 0, message: { content: "12 euro." }, finish_reason: "stop" }] };

/** An endpoint that refuses the fields that it does not know, one at a time, as OpenAI does. */
let unknown: string[] = [];
let bodies: Fields[] = [];
let capabilityCache: CapabilityCache;
beforeEach(() => {
	unknown = [];
	bodies = [];
	capabilityCache = createCapabilityCache();
});

const fetch = async (_url: string, init: RequestInit): Promise<Response> => {
	const body = JSON.parse(String(init.body));
	bodies.push(body);
	const found = Object.keys(body).find((name) => unknown.includes(name));
	return found === undefined ? Response.json(BODY) : respondWithError(`Unsupported parameter: '${found}'.`);
};
const respondWithError = (message: string, status = 400): Response =>
	Response.json({ error: { message, type: "invalid_request_error", param: null, code: null } }, { status });

const toModel = (options: Partial<OpenAiCompatibleOptions> = {}) =>
	createOpenAiCompatibleModel({
		baseUrl: "https://models.example/v1",
		model: "m",
		apiKey: "sk-0123456789",
		maxRetries: 0,
		fetch,
		capabilityCache,
		...options,
	});
const sent = (): string[][] => bodies.map((body) => Object.keys(body));
const failureOf = (promise: Promise<unknown>): Promise<ProviderError> =>
	promise.then(
		() => Promise.reject(new Error("It did not fail.")),
		(error: unknown) => (ProviderError.is(error) ? error : Promise.reject(error)),
	);

describe("what an endpoint refuses", () => {
	const ALL = ["tool_choice", "response_format", "temperature", "max_tokens", "stream", "stream_options"];

	it.each(ALL)("%s, is left out, and asked for no more", async (name) => {
		unknown = [name];
		const events = await collect(toModel().stream(REQUEST));
		expect(events.at(-1)).toMatchObject({ reply: { text: "12 euro.", attempts: 2 } });
		expect(bodies[0]).toHaveProperty(name);
		expect(bodies.at(-1)).not.toHaveProperty(name);
		bodies = [];
		await collect(toModel().stream(REQUEST));
		expect(bodies).toHaveLength(name === "stream" ? 2 : 1);
	});

	it("may be all of it", async () => {
		unknown = [...ALL, "max_completion_tokens"];
		const reply = await toModel().generate(REQUEST);
		expect(reply).toMatchObject({ text: "12 euro.", attempts: 6 });
		expect(sent().at(-1)).toEqual(["model", "messages"]);
		expect(JSON.stringify(bodies.at(-1)?.messages)).toContain("JSON Schema");
	});

	it("is not forgotten when the other name for it is tried", async () => {
		unknown = ["max_tokens"];
		await toModel().generate(REQUEST);
		expect(
			bodies.map(({ max_tokens, max_completion_tokens }) => [max_tokens, max_completion_tokens]),
		).toEqual([
			[50, undefined],
			[undefined, 50],
		]);
	});

	it.each(["messages", "model", "tools"])(
		"cannot be left out where nothing works without: %s",
		async (name) => {
			unknown = [name];
			const { code, field, attempts } = await failureOf(toModel().generate(REQUEST));
			expect([code, field, attempts]).toEqual(["bad_request", name, 1]);
		},
	);

	it("is said once more in vain", async () => {
		const alwaysUnsupported = vi.fn(async () =>
			respondWithError("Unknown: 'max_tokens', 'max_completion_tokens'"),
		);
		const { code, field } = await failureOf(toModel({ fetch: alwaysUnsupported }).generate(REQUEST));
		expect([code, field]).toEqual(["bad_request", undefined]);
		expect(alwaysUnsupported).toHaveBeenCalledTimes(3);
	});

	it("is said without end", async () => {
		unknown = [...ALL, "max_completion_tokens"];
		const { code, attempts } = await failureOf(collect(toModel().stream(REQUEST)));
		expect([code, attempts]).toEqual(["bad_request", 6]);
	});

	it("comes with other failures, and these are tried again as often as a call may", async () => {
		unknown = [...ALL, "max_completion_tokens"];
		let count = 0;
		const busy = async (url: string, init: RequestInit): Promise<Response> =>
			count++ % 2 === 0 ? respondWithError("Busy", 503) : fetch(url, init);
		vi.spyOn(Math, "random").mockReturnValue(0);
		const { code, attempts } = await failureOf(toModel({ fetch: busy, maxRetries: 2 }).generate(REQUEST));
		vi.restoreAllMocks();
		expect([code, attempts]).toEqual(["overloaded", 5]);
	});

	it("ends the call where its signal aborts in between", async () => {
		unknown = ["temperature"];
		const controller = new AbortController();
		const aborting = async (url: string, init: RequestInit): Promise<Response> => {
			controller.abort("enough");
			return fetch(url, init);
		};
		await expect(toModel({ fetch: aborting }).generate(REQUEST, controller)).rejects.toBe("enough");
	});
});

describe("what was learned", () => {
	it("is shared by models of one endpoint and name, and by no others", async () => {
		unknown = ["temperature"];
		await toModel().generate(REQUEST);
		const others = [{ apiKey: "sk-other" }, { model: "n" }, { baseUrl: "https://models.example/v2" }];
		const counts = [];
		for (const other of others) {
			bodies = [];
			await toModel(other).generate(REQUEST);
			counts.push(bodies.length);
		}
		expect(counts).toEqual([1, 2, 2]);
	});

	it("is shared by all of a process, unless a cache is given", async () => {
		unknown = ["temperature"];
		const options = { baseUrl: "https://remembered.example/v1", capabilityCache: undefined };
		await toModel(options).generate(REQUEST);
		await toModel(options).generate(REQUEST);
		await toModel({ ...options, capabilityCache }).generate(REQUEST);
		expect(bodies).toHaveLength(2 + 1 + 2);
	});

	it("holds no key, and nothing that was said", async () => {
		unknown = ["temperature"];
		const rememberUnsupported = vi.spyOn(capabilityCache, "set");
		await toModel({ headers: { "api-key": "sk-header" } }).generate(REQUEST);
		expect(rememberUnsupported.mock.calls).toEqual([
			["https://models.example/v1 m", { unsupported: ["temperature"] }],
		]);
	});

	it("is remembered only once there is an answer", async () => {
		const failing = async (_url: string, init: RequestInit): Promise<Response> =>
			"temperature" in JSON.parse(String(init.body))
				? respondWithError("Unsupported: 'temperature'")
				: respondWithError("Busy", 503);
		expect((await failureOf(toModel({ fetch: failing }).generate(REQUEST))).code).toBe("overloaded");
		expect(capabilityCache.get("https://models.example/v1 m")).toBeUndefined();
	});

	it("is not that one schema does not work, though the call does without", async () => {
		const limitedEndpoint = async (url: string, init: RequestInit): Promise<Response> => {
			if (!String(init.body).includes("json_schema")) return fetch(url, init);
			return respondWithError("Invalid schema for response_format 'output': 'oneOf' is not permitted.");
		};
		expect((await toModel({ fetch: limitedEndpoint }).generate(REQUEST)).text).toBe("12 euro.");
		expect(bodies).toMatchObject([{ response_format: { type: "json_object" } }]);
		expect(capabilityCache.get("https://models.example/v1 m")).toBeUndefined();
	});

	it("is not that a schema has features which some engine lacks", async () => {
		const limitedEndpoint = async (url: string, init: RequestInit): Promise<Response> =>
			String(init.body).includes('"pattern"')
				? respondWithError("The provided JSON schema contains features not supported by xgrammar.")
				: fetch(url, init);
		const properties = { a: { type: "string", pattern: "x" } };
		const outputSchema = { type: "object", properties } as const;
		await toModel({ fetch: limitedEndpoint }).generate({ messages: REQUEST.messages, outputSchema });
		expect(capabilityCache.get("https://models.example/v1 m")).toBeUndefined();
	});

	it("adds up, whichever call learns it", async () => {
		unknown = ["temperature"];
		await toModel().generate(REQUEST);
		unknown = ["temperature", "tool_choice"];
		await Promise.all([toModel().generate(REQUEST), collect(toModel().stream(REQUEST))]);
		expect(capabilityCache.get("https://models.example/v1 m")?.unsupported).toEqual([
			"temperature",
			"tool_choice",
		]);
	});
});

describe("a setting that must be kept", () => {
	const settings = {
		temperature: 0.5,
		topP: 0.5,
		seed: 7,
		stop: ["END"],
		frequencyPenalty: 1,
		presencePenalty: 1,
		logitBias: { 42: 1 },
		reasoningEffort: "low",
		verbosity: "low",
		parallelToolCalls: false,
	};

	it.each([
		["temperature", "temperature"],
		["top_p", "topP"],
		["seed", "seed"],
		["stop", "stop"],
		["frequency_penalty", "frequencyPenalty"],
		["presence_penalty", "presencePenalty"],
		["logit_bias", "logitBias"],
		["reasoning_effort", "reasoningEffort"],
		["verbosity", "verbosity"],
		["parallel_tool_calls", "parallelToolCalls"],
	])("%s, refused, ends the call", async (field, setting) => {
		unknown = [field];
		const { code, field: named, attempts } = await failureOf(toModel().generate({ ...REQUEST, settings }));
		expect([code, named, attempts]).toEqual(["unsupported_parameter", setting, 1]);
		expect(capabilityCache.get("https://models.example/v1 m")).toBeUndefined();
	});
});

it.each([
	["required", "tool_choice required"],
	[{ name: "faq" }, "tool_choice named"],
] as const)("the choice of %j, refused, is told in words from then on", async (toolChoice, feature) => {
	unknown = ["tool_choice"];
	const { attempts } = await toModel().generate({ ...REQUEST, toolChoice });
	expect(attempts).toBe(2);
	expect(bodies.at(-1)).not.toHaveProperty("tool_choice");
	expect(JSON.stringify(bodies.at(-1)?.messages)).toContain("In this turn, call");
	expect(capabilityCache.get("https://models.example/v1 m")?.unsupported).toEqual([feature]);
});
