import { ConfigurationError } from "@stemma/core/errors";
import { describe, expect, it } from "vitest";
import { createCohereReranker } from "./create";
import { type CohereRerankerOptions, readOptions } from "./options";

const GOOD = { baseUrl: "https://api.cohere.com/v2", model: "rerank-v3.5" };

function errorOf(options: object): ConfigurationError {
	try {
		createCohereReranker({ ...GOOD, ...options } as CohereRerankerOptions);
	} catch (error) {
		if (ConfigurationError.is(error)) return error;
		throw error;
	}
	throw new Error("It was taken.");
}

describe("where requests go", () => {
	it.each([
		["https://api.cohere.com", "https://api.cohere.com/v2/rerank"],
		["https://api.cohere.com/v2", "https://api.cohere.com/v2/rerank"],
		["https://api.cohere.com/v1/rerank", "https://api.cohere.com/v1/rerank"],
		["https://api.cohere.com/v2/rerank/", "https://api.cohere.com/v2/rerank"],
		["https://api.jina.ai/", "https://api.jina.ai/v1/rerank"],
		["https://api.voyageai.com", "https://api.voyageai.com/v1/rerank"],
		["https://api.together.xyz", "https://api.together.xyz/v1/rerank"],
		["http://localhost:8080", "http://localhost:8080/rerank"],
		["https://gateway.example/cohere/v2", "https://gateway.example/cohere/v2/rerank"],
	])("%s", (baseUrl, url) => {
		expect(readOptions({ ...GOOD, baseUrl }).url).toBe(url);
	});
});

describe("whose variant it is", () => {
	it.each([
		["https://api.voyageai.com", undefined, "top_k"],
		["https://api.voyageai.com.evil.example", undefined, "top_n"],
		["https://gateway.example/v1", "voyage", "top_k"],
		["https://api.voyageai.com", "other", "top_n"],
	] as const)("%s, %s", (baseUrl, vendor, limitField) => {
		expect(readOptions({ ...GOOD, baseUrl, vendor }).shape.limitField).toBe(limitField);
	});
});

describe("options", () => {
	it.each([
		["model", { model: " " }],
		["apiKey", { apiKey: "s3cret\nx" }],
		["baseUrl", { baseUrl: "https://s3cret@host/v1" }],
		["vendor", { vendor: "s3cret" }],
		["vendor", { vendor: "toString" }],
		["batchSize", { batchSize: 0 }],
		["batchSize", { batchSize: 1.5 }],
		["maxRetries", { maxRetries: -1 }],
	])("name what is wrong: %s", (option, options) => {
		const { message } = errorOf(options);
		expect(message).toContain(`\`${option}\``);
		expect(message).not.toContain("s3cret");
	});
});
