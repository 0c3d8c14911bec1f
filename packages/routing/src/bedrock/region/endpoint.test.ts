import { ConfigurationError } from "@stemma/core/errors";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSameBedrockPartition, parseBedrockEndpoint } from "./endpoint";
import { partitionOf, readBedrockRegion } from "./region";

const US = "https://bedrock-runtime.us-east-1.amazonaws.com";

function errorOf(text: unknown): ConfigurationError {
	try {
		parseBedrockEndpoint(text as string);
	} catch (error) {
		if (ConfigurationError.is(error)) return error;
		throw error;
	}
	throw new Error("It was taken.");
}

describe("AWS's own hosts", () => {
	it.each([
		["bedrock-runtime.us-east-1.amazonaws.com", "us-east-1", "aws"],
		["bedrock-runtime.ap-southeast-4.amazonaws.com", "ap-southeast-4", "aws"],
		["bedrock-runtime-fips.us-west-2.amazonaws.com", "us-west-2", "aws"],
		["bedrock-runtime.eu-central-1.api.aws", "eu-central-1", "aws"],
		["bedrock-runtime-fips.ca-central-1.api.aws", "ca-central-1", "aws"],
		["bedrock-runtime.us-gov-west-1.amazonaws.com", "us-gov-west-1", "aws-us-gov"],
		["bedrock-runtime-fips.us-gov-east-1.amazonaws.com", "us-gov-east-1", "aws-us-gov"],
		["bedrock-runtime.cn-north-1.amazonaws.com.cn", "cn-north-1", "aws-cn"],
		["bedrock-runtime.cn-northwest-1.api.amazonwebservices.com.cn", "cn-northwest-1", "aws-cn"],
		["bedrock-runtime.eusc-de-east-1.amazonaws.eu", "eusc-de-east-1", "aws-eusc"],
		["bedrock-runtime.eusc-de-east-1.api.amazonwebservices.eu", "eusc-de-east-1", "aws-eusc"],
		["vpce-0a1b2c-d3e4.bedrock-runtime.us-east-1.vpce.amazonaws.com", "us-east-1", "aws"],
		["vpce-0a1b2c-d3e4-us-east-1a.bedrock-runtime.us-east-1.vpce.amazonaws.com", "us-east-1", "aws"],
		["vpce-0a1b2c-d3e4.bedrock-runtime-fips.us-gov-west-1.vpce.amazonaws.com", "us-gov-west-1", "aws-us-gov"],
		["vpce-0a1b2c-d3e4.bedrock-runtime.cn-north-1.vpce.amazonaws.com.cn", "cn-north-1", "aws-cn"],
	])("%s", (host, region, partition) => {
		const baseUrl = `https://${host}`;
		expect(parseBedrockEndpoint(baseUrl)).toEqual({ baseUrl, host, region });
		expect(readBedrockRegion(baseUrl)).toBe(region);
		expect(partitionOf(region)).toBe(partition);
	});

	it.each([
		`${US}/`,
		`${US}///`,
		` ${US}:443\n`,
		`${US}/model`,
		`${US}/model/us.anthropic.claude-sonnet-4-20250514-v1%3A0/converse`,
		`${US}/model/arn:aws:bedrock:us-east-1:123456789012:provisioned-model/a/converse-stream/`,
		`${US.replace("https", "HttpS")}/model/x`,
	])("are read from what was pasted: %s", (text) => {
		expect(parseBedrockEndpoint(text)).toMatchObject({ baseUrl: US, region: "us-east-1" });
	});
});

describe("other hosts", () => {
	it.each([
		["http://localhost:4010", "http://localhost:4010", "localhost:4010"],
		["http://127.0.0.1:4010/", "http://127.0.0.1:4010", "127.0.0.1:4010"],
		["https://Gateway.example/aws/", "https://gateway.example/aws", "gateway.example"],
		["https://gateway.example/aws/model/x/invoke", "https://gateway.example/aws", "gateway.example"],
		[
			"https://my-bedrock.us-east-1.amazonaws.com/a",
			"https://my-bedrock.us-east-1.amazonaws.com/a",
			"my-bedrock.us-east-1.amazonaws.com",
		],
		["https://gateway.example/models/x", "https://gateway.example/models/x", "gateway.example"],
		[
			"https://bedrock-gw-1.us-east-1.elb.amazonaws.com",
			"https://bedrock-gw-1.us-east-1.elb.amazonaws.com",
			"bedrock-gw-1.us-east-1.elb.amazonaws.com",
		],
	])("%s is a gateway", (text, baseUrl, host) => {
		expect(parseBedrockEndpoint(text)).toEqual({ baseUrl, host, region: undefined });
		expect(readBedrockRegion(baseUrl)).toBeUndefined();
	});
});

const LOOKALIKES = [
	"https://bedrock-runtime.us-east-1.amazonaws.com.evil.example",
	"https://bedrock-runtime.us-east-1.amazonaws.com.cn.evil.example",
	"https://bedrock-runtime.us-east-1.amazonaws.comevil.example",
	"https://bedrock-runtime.us-east-1.amazonaws.co",
	"https://bedrock-runtime.us-east-1.amazonaws.community",
	"https://bedrock-runtime.us-east-1.xamazonaws.com",
	"https://bedrock-runtime.us-east-1.amazonaws-com.example",
	"https://bedrock-runtime.us-east-1.evil.amazonaws.com.example",
	"https://evil-bedrock-runtime.us-east-1.amazonaws.com",
	"https://evil.bedrock-runtime.us-east-1.amazonaws.com",
	"https://bedrock-runtime.us-east-1.s3.amazonaws.com",
	"https://bedrock-runtime.s3.amazonaws.com",
	"https://bedrock-runtime.s3-website-us-east-1.amazonaws.com",
	"https://bedrock-runtimeXus-east-1Xamazonaws.com",
	"https://bedrock-runtime-us-east-1.amazonaws.com",
	"https://bedrock-runtime.us-east-1.api.aws.evil.example",
	"https://bedrock-runtime.us-east-1.apiXaws",
	"https://vpce-1.evil.bedrock-runtime.us-east-1.vpce.amazonaws.com",
	"https://vpce-1.vpce-svc-2.us-east-1.vpce.amazonaws.com",
	"https://vpce-1-bedrock-runtime.us-east-1.vpce.amazonaws.com",
	"https://bedrock-runtime.us-east-1.amazonaws.com@evil.example",
	"https://bedrock-runtime.us-east-1.amazonaws.com:x@evil.example",
	"https://evil.example/bedrock-runtime.us-east-1.amazonaws.com",
	"https://evil.example/https://bedrock-runtime.us-east-1.amazonaws.com",
	"https://evil.example?bedrock-runtime.us-east-1.amazonaws.com",
	"https://evil.example#.bedrock-runtime.us-east-1.amazonaws.com",
	"https://evil.example\\.bedrock-runtime.us-east-1.amazonaws.com",
	"https://BEDROCK-RUNTIME.us-east-1.amazonaws.com",
	"https://bedrock-runtime.us-east-1.AmazonAWS.com",
	"https://bedrock-runtime.us-east-1.amazonaws.com.",
	"https://bedrock-runtime.us-east-1.amazonaws.com..",
	"https://bedrock-runtime.us-east-1.amazonaws.com:8443",
	"http://bedrock-runtime.us-east-1.amazonaws.com",
	"http://bedrock-runtime.us-east-1.amazonaws.com:443",
	"https://bedrock‐runtime.us-east-1.amazonaws.com",
	"https://bedrock-runtime.us-east-1.amazonаws.com",
	"https://bedrock-runtime。us-east-1。amazonaws。com",
	"https://ｂedrock-runtime.us-east-1.amazonaws.com",
	"https://bedrock-runtime.us-east-1.amazonaws.com%2eevil.example",
	"https://bedrock-runtime.us-east-1.amazonaws%2ecom",
	"https://bedrock-run\ttime.us-east-1.amazonaws.com",
	"https://bedrock-runtime.us-east-1\n.amazonaws.com",
	"https:\\\\bedrock-runtime.US-east-1.amazonaws.com",
	"ftp://bedrock-runtime.us-east-1.amazonaws.com",
	"bedrock-runtime.us-east-1.amazonaws.com",
];

describe("a lookalike", () => {
	it.each(LOOKALIKES)("%j is none of AWS's hosts", (text) => {
		let region: string | undefined;
		try {
			region = parseBedrockEndpoint(text).region;
		} catch (error) {
			expect(ConfigurationError.is(error)).toBe(true);
		}
		expect(region).toBeUndefined();
		expect(readBedrockRegion(text)).toBeUndefined();
		expect(isSameBedrockPartition(US, text)).toBe(false);
		expect(isSameBedrockPartition(text, text)).toBe(false);
	});

	it("is not made by anything put into the host", () => {
		fc.assert(
			fc.property(fc.nat({ max: US.length }), fc.string({ minLength: 1, maxLength: 12 }), (at, extra) => {
				const text = US.slice(0, at) + extra + US.slice(at);
				if (readBedrockRegion(text) === undefined) return;
				expect(new URL(text).hostname).toMatch(/\.(amazonaws\.com|api\.aws)$/);
			}),
		);
	});
});

describe("Bedrock's other addresses are refused, with what to write", () => {
	const RUNTIME = "`https://bedrock-runtime.<region>.amazonaws.com`";
	it.each([
		["https://bedrock.us-east-1.amazonaws.com", RUNTIME],
		["https://bedrock-fips.us-east-1.amazonaws.com", RUNTIME],
		["https://bedrock-agent-runtime.us-east-1.amazonaws.com", RUNTIME],
		["https://bedrock-agent.eu-west-1.amazonaws.com", RUNTIME],
		["https://bedrock-mantle.us-east-1.api.aws/v1", "`openai-compatible`"],
		["https://vpce-1-2.bedrock-mantle.us-east-1.vpce.amazonaws.com", "`openai-compatible`"],
		[`${US}/openai/v1`, "`openai-compatible`"],
		[`${US}/openai/v1/chat/completions`, "`openai-compatible`"],
		[`${US}/v1`, RUNTIME],
		["http://bedrock-runtime.us-east-1.amazonaws.com", RUNTIME],
		["https://bedrock-runtime.us-east-1.amazonaws.com:8443", RUNTIME],
		["https://Bedrock-Runtime.us-east-1.amazonaws.com", RUNTIME],
		[`${US}.`, RUNTIME],
		["https://bedrock-runtime.amazonaws.com", RUNTIME],
		["https://bedrock-runtime.cn-north-1.amazonaws.com", RUNTIME],
		["https://bedrock-runtime.us-east-1.amazonaws.com.cn", RUNTIME],
		["https://bedrock-runtime.eusc-de-east-1.api.aws", RUNTIME],
		["https://bedrock-runtime.us-east-1.vpce.amazonaws.com", RUNTIME],
		["https://vpce-1-2.bedrock-runtime.us-east-1.amazonaws.com", RUNTIME],
	])("%s", (text, hint) => {
		const error = errorOf(text);
		expect(error.message).toMatch(/`baseUrl`.*runtime.*https.*lower case.*domain.*without a port or path/);
		expect(error.hint).toContain(hint);
		expect(error.code).toBe("configuration");
	});

	it.each([
		["", "configuration"],
		[undefined, "configuration"],
		["s3cret.example", "configuration"],
		["ftp://s3cret.example", "configuration"],
		["https://user:s3cret@gateway.example", "base_url_not_plain"],
		["https://s3cret@bedrock-runtime.us-east-1.amazonaws.com", "base_url_not_plain"],
		[`${US}?key=s3cret`, "base_url_not_plain"],
		[`${US}#s3cret`, "base_url_not_plain"],
		[`${US}/s3cret`, "configuration"],
		["https://bedrock-s-cret.us-east-1.amazonaws.com", "configuration"],
	])("without repeating the URL: %s", (text, code) => {
		const error = errorOf(text);
		expect(error.code).toBe(code);
		expect(`${JSON.stringify(error)}${error.message}${error.cause}`).not.toMatch(/s3cret|s-cret/);
	});
});

describe("one partition", () => {
	it.each([
		[US, "https://bedrock-runtime.eu-west-1.amazonaws.com", true],
		[US, "https://bedrock-runtime-fips.us-west-2.amazonaws.com", true],
		[US, "https://bedrock-runtime.us-east-1.api.aws", true],
		[
			"https://bedrock-runtime.cn-north-1.amazonaws.com.cn",
			"https://bedrock-runtime.cn-northwest-1.amazonaws.com.cn",
			true,
		],
		[US, "https://bedrock-runtime.us-gov-west-1.amazonaws.com", false],
		[US, "https://bedrock-runtime.cn-north-1.amazonaws.com.cn", false],
		[US, "https://bedrock-runtime.eusc-de-east-1.amazonaws.eu", false],
		[US, "https://vpce-1-2.bedrock-runtime.us-east-1.vpce.amazonaws.com", false],
		[US, "https://gateway.example", false],
		[US, `${US}/openai/v1`, false],
		["https://gateway.example", "https://gateway.example", false],
		["", "", false],
	])("%s and %s: %s", (one, other, expected) => {
		expect(isSameBedrockPartition(one, other)).toBe(expected);
		expect(isSameBedrockPartition(other, one)).toBe(expected);
	});
});

it("the region of anything at all is read without throwing", () => {
	fc.assert(
		fc.property(fc.anything(), (value) => {
			fc.pre(typeof value !== "symbol" && (typeof value !== "object" || value === null));
			expect(readBedrockRegion(value as string)).toBeUndefined();
		}),
	);
});
