import { describe, expect, test } from "vitest";
import { Secret } from "../encryption/secret";
import { printConfiguration } from "./print-configuration";
import { resolveConfiguration } from "./resolve-configuration";

const provider = { provider: "openai-compatible", base_url: "https://api.example/v1", default_model: "m" };
const getError = (sources: Parameters<typeof resolveConfiguration>[0]): string => {
	try {
		resolveConfiguration(sources);
	} catch (error) {
		expect(error).toMatchObject({ name: "ConfigurationError" });
		return (error as Error).message;
	}
	throw new Error("It was accepted.");
};

test("has defaults for everything", () => {
	expect(resolveConfiguration({ folder: "/srv" })).toEqual({
		listen: { host: "127.0.0.1", port: 4000 },
		data: "/srv/stemma-data",
		documents: { rereadOutdated: true },
		answers: { minCoverage: 0.52 },
		providers: {},
		aws: { allowAmbientCredentials: false },
		encryption: { keys: [] },
		outbound: { allow: [] },
		sources: { folders: [] },
		ocr: {},
		readers: [],
		signIn: { issuers: [] },
		limits: {
			concurrentRuns: 50,
			requestsPerMinute: 6000,
			accessTokensPerMinute: 300,
			concurrentRequests: 500,
			concurrentSearches: 500,
			concurrentModelCalls: 500,
			uploadBytes: 20 * 1024 * 1024,
			documents: 1_000_000,
			threads: 100_000,
			bodyBytes: 24 * 1024 * 1024,
			totalBodyBytes: 96 * 1024 * 1024,
			spoolBytes: 1024 ** 3,
			totalSpoolBytes: 4 * 1024 ** 3,
			storageBytes: 20 * 1024 ** 3,
			retention: { runs: 100_000, receipts: 1_000_000, feedback: 100_000 },
			run: {},
		},
		log: { level: "info" },
	});
});

test("takes the file, the environment over it, and options over both", () => {
	const configuration = resolveConfiguration({
		content: {
			listen: { host: "0.0.0.0", port: 1 },
			data: "/data",
			limits: { documents: 5, run: { max_steps: 7, timeout_ms: 9 } },
		},
		environment: {
			STEMMA_LISTEN_PORT: "2",
			STEMMA_LIMITS_RUN_MAX_STEPS: "8",
			STEMMA_LOG_LEVEL: "debug",
			STEMMA_DATA_FOLDER: "",
		},
		options: [{ source: "--port", path: ["listen", "port"], value: 3 }],
	});
	expect(configuration).toMatchObject({
		listen: { host: "0.0.0.0", port: 3 },
		data: "/data",
		limits: { documents: 5, concurrentRuns: 50, run: { maxSteps: 8, timeoutMs: 9 } },
		log: { level: "debug" },
	});
});

describe("a provider", () => {
	test("has its key from the environment, or written down, or none", () => {
		const { providers, chat } = resolveConfiguration({
			content: {
				providers: {
					one: { ...provider, credential: { env: "ONE_KEY" }, allowed_models: ["a"] },
					two: { ...provider, credential: { value: "written" } },
					three: provider,
				},
				chat: "one",
			},
			environment: { ONE_KEY: "from-env" },
		});
		const known = { provider: "openai-compatible", baseUrl: "https://api.example/v1", defaultModel: "m" };
		expect([chat, providers]).toEqual([
			"one",
			{
				one: { ...known, credential: new Secret("from-env"), allowedModels: ["a"] },
				two: { ...known, credential: new Secret("written"), allowedModels: [] },
				three: { ...known, allowedModels: [] },
			},
		]);
	});
	test("comes from three variables alone, and answers then", () => {
		const environment = {
			STEMMA_CHAT_BASE_URL: "http://localhost:11434/v1",
			STEMMA_CHAT_MODEL: "llama",
			STEMMA_CHAT_API_KEY: "123",
		};
		expect(resolveConfiguration({ environment })).toMatchObject({
			chat: "environment",
			providers: {
				environment: {
					baseUrl: "http://localhost:11434/v1",
					defaultModel: "llama",
					credential: new Secret("123"),
				},
			},
		});
		const content = { providers: { one: provider } };
		expect(resolveConfiguration({ content, environment: { ...environment, STEMMA_CHAT: "one" } }).chat).toBe(
			"one",
		);
	});
	test.each([
		" HTTPS://API.Example:443/v1/ ",
		"https://api.example/v1/chat/completions",
		"https://api.example/v1/chat/completions/",
	])("has its address as it is told everywhere: %j", (base_url) => {
		const { providers } = resolveConfiguration({
			content: { providers: { one: { ...provider, base_url } } },
		});
		expect(providers.one?.baseUrl).toBe("https://api.example/v1");
	});
	test("may be the built-in model, by name", () => {
		expect(resolveConfiguration({ content: { chat: "extractive" } }).chat).toBeUndefined();
	});
});

test.each([
	[{ listen: { port: "4000" } }, 'stemma.config.json: "listen.port" must be a number, got a string.'],
	[{ listen: { port: 70_000 } }, 'stemma.config.json: "listen.port" must be at most 65,535.'],
	[{ prot: 1 }, 'stemma.config.json: "prot" is not a known field; the fields are'],
	[
		{ listen: { trusted_proxies: ["loopback", "0.0.0.0/0"] } },
		'"listen.trusted_proxies[1]" must be the address of a proxy such as "10.0.0.2"',
	],
	[{ listen: { prot: 1 } }, '"listen.prot" is not a known field. Did you mean "port"?'],
	[
		{ limits: { run: { maxsteps: 1 } } },
		'"limits.run.maxsteps" is not a known field. Did you mean "max_steps"?',
	],
	[{ log: { level: "loud" } }, '"log.level" must be one of "silent", "fatal"'],
	[[], "stemma.config.json: the file must be an object, got a list."],
	[
		{ chat: "opnai", providers: { openai: provider } },
		'"chat" must be the name of a provider, got "opnai". Did you mean "openai"?',
	],
	[
		{ chat: "openai" },
		'"chat" must be the name of a provider, got "openai": there are none yet, add one to "providers".',
	],
	[{ providers: { extractive: provider } }, '"providers.extractive" must be called something else'],
	[{ providers: { "A B": provider } }, "is not a valid name for a provider"],
	[
		{ providers: { a: { ...provider, base_url: "api.example" } } },
		'"providers.a.base_url" must be an address such as',
	],
	[
		{ providers: { a: { ...provider, base_url: "https://u:p@x" } } },
		'"providers.a.base_url" must be an address such as',
	],
	[
		{ providers: { a: { ...provider, provider: "anthropic" } } },
		'"providers.a.provider" must be one of "openai-compatible", "bedrock".',
	],
	[{ providers: { a: { ...provider, provider: "bedrok" } } }, 'Did you mean "bedrock"?'],
	[{ providers: { a: { ...provider, credential: "s3cret" } } }, '"providers.a.credential" must be {"env"'],
	[
		{ providers: { a: { ...provider, credential: { env: "NO_SUCH" } } } },
		'"providers.a.credential.env" names the environment variable NO_SUCH, which is not set or empty.',
	],
	[{ providers: { a: { provider: "openai-compatible" } } }, '"providers.a.base_url" is missing.'],
])("%j is refused", (content, message) => {
	const text = getError({ content });
	expect(text).toContain(message);
	expect(text).not.toContain("s3cret");
});

test("a wrong variable or option is named, not the file", () => {
	expect(getError({ environment: { STEMMA_LISTEN_PORT: "http" } })).toBe(
		'STEMMA_LISTEN_PORT ("listen.port") must be a number, got a string.',
	);
	const options = [{ source: "--port", path: ["listen", "port"], value: -1 }];
	expect(getError({ options })).toBe('--port ("listen.port") must be at least 0.');
	expect(getError({ environment: { STEMMA_CHAT_MODEL: "m" } })).toBe(
		'STEMMA_CHAT_BASE_URL ("providers.environment.base_url") is missing.',
	);
});

test("trusted proxies come from the file or a variable, and are printed", () => {
	const environment = { STEMMA_LISTEN_TRUSTED_PROXIES: "loopback, 10.0.0.0/8" };
	const configuration = resolveConfiguration({ environment });
	expect(configuration.listen.trustedProxies).toEqual(["loopback", "10.0.0.0/8"]);
	const output = JSON.parse(printConfiguration(configuration));
	expect(output.listen.trusted_proxies).toEqual(["loopback", "10.0.0.0/8"]);
	expect(resolveConfiguration({ content: output }).listen).toEqual(configuration.listen);
});

describe("the public address", () => {
	test("comes from the file or a variable, as browsers write it, and is printed", () => {
		const environment = { STEMMA_LISTEN_PUBLIC_URL: "HTTPS://Stemma.example:443/" };
		const content = { listen: { public_url: "http://other.example" } };
		const configuration = resolveConfiguration({ content, environment });
		const listen = { host: "127.0.0.1", port: 4000 };
		expect(configuration.listen).toEqual({ ...listen, publicUrl: "https://stemma.example" });
		const output = JSON.parse(printConfiguration(configuration));
		expect(output.listen).toEqual({ ...listen, public_url: "https://stemma.example" });
		expect(resolveConfiguration({ content: output }).listen).toEqual(configuration.listen);
	});
	test.each([
		"stemma.example",
		"ftp://stemma.example",
		"https://stemma.example/kb",
		"https://user:s3cret@stemma.example",
		"https://stemma.example/?key=s3cret",
		'https://stemma"s3cret.example',
		"",
	])("is an origin: %j is refused", (public_url) => {
		const message = getError({ content: { listen: { public_url } } });
		expect(message).toMatch(/"listen.public_url" must be an address such as https:\/\/stemma.example,/);
		expect(message).not.toContain("s3cret");
	});
	test("of a variable that is wrong names the variable", () => {
		expect(getError({ environment: { STEMMA_LISTEN_PUBLIC_URL: "https://a.example/kb" } })).toMatch(
			/^STEMMA_LISTEN_PUBLIC_URL \("listen.public_url"\) must be an address/,
		);
	});
});

test("tells all that is wrong at once", () => {
	expect(getError({ content: { data: 1, chat: 2 } }).split("\n")).toHaveLength(2);
});

test("is printed as its file would have it, without secrets", () => {
	const content = {
		providers: { a: { ...provider, credential: { value: "s3cret" } } },
		chat: "a",
		limits: { run: { max_steps: 3 } },
	};
	const text = printConfiguration(resolveConfiguration({ content, folder: "/srv" }));
	expect(text).not.toContain("s3cret");
	expect(JSON.parse(text)).toMatchObject({
		data: "/srv/stemma-data",
		documents: { reread_outdated: true },
		answers: { min_coverage: 0.52 },
		providers: { a: { ...provider, credential: { value: "****" } } },
		limits: { concurrent_runs: 50, run: { max_steps: 3 } },
	});
	expect(printConfiguration(resolveConfiguration({ content: JSON.parse(text) }))).toBe(text);
});

describe("a provider of Bedrock", () => {
	const bedrock = {
		provider: "bedrock",
		base_url: "https://bedrock-runtime.us-east-1.amazonaws.com",
		credential: { value: "AKIAEXAMPLE:s3cret-key" },
		default_model: "us.amazon.nova-lite-v1:0",
	};

	test("is taken", () => {
		const { providers } = resolveConfiguration({ content: { providers: { aws: bedrock } } });
		expect(providers.aws?.provider).toBe("bedrock");
		expect(providers.aws?.credential?.reveal()).toBe("AKIAEXAMPLE:s3cret-key");
	});

	test.each([
		[{ credential: undefined }, '"providers.aws.credential" is missing: Bedrock asks for one, such as'],
		[{ credential: { value: "AKIAEXAMPLE:" } }, '"providers.aws" cannot be used: '],
		[{ default_model: "eu.amazon.nova-lite-v1:0" }, "us.amazon.nova-lite-v1:0"],
		[{ allowed_models: ["apac.amazon.nova-pro-v1:0"] }, "us.amazon.nova-pro-v1:0"],
		[{ base_url: "https://bedrock.us-east-1.amazonaws.com" }, "bedrock-runtime"],
	])("with %j is refused at the start", (change, message) => {
		const text = getError({ content: { providers: { aws: { ...bedrock, ...change } } } });
		expect(text).toContain(message);
		expect(text).not.toContain("s3cret");
		expect(text).not.toContain("..");
	});
});

const KEY = Buffer.alloc(32, 1).toString("base64");
const OTHER_KEY = Buffer.alloc(32, 2).toString("hex");

describe("vendors of vectors and scores", () => {
	test("come from the file or from variables, and their keys are never printed", () => {
		const configuration = resolveConfiguration({
			content: {
				embeddings: { base_url: "https://API.example:443/v1/embeddings", model: "e", dimensions: 64 },
			},
			environment: {
				STEMMA_EMBEDDINGS_API_KEY: "12345678",
				STEMMA_RERANK_PROVIDER: "cohere",
				STEMMA_RERANK_BASE_URL: "https://api.cohere.com/v2",
				STEMMA_RERANK_MODEL: "rerank-v3.5",
				STEMMA_RERANK_API_KEY: "rerank-key",
			},
		});
		const { embeddings, rerank } = configuration;
		expect(embeddings).toMatchObject({ baseUrl: "https://api.example/v1", model: "e", dimensions: 64 });
		expect(rerank).toMatchObject({ provider: "cohere", model: "rerank-v3.5" });
		expect([embeddings, rerank].map((vendor) => vendor?.credential?.reveal())).toEqual([
			"12345678",
			"rerank-key",
		]);
		const output = printConfiguration(configuration);
		expect(output).not.toMatch(/12345678|rerank-key/);
		expect(resolveConfiguration({ content: JSON.parse(output) })).toMatchObject({
			embeddings: { model: "e" },
		});
	});

	test("may be the embedded model, which has no settings of its own", () => {
		const environment = { STEMMA_EMBEDDINGS_PROVIDER: "embedded" };
		const configuration = resolveConfiguration({ environment });
		expect(configuration.embeddings).toEqual({
			provider: "embedded",
			baseUrl: "",
			model: "universal-sentence-encoder-lite",
		});
		const output = JSON.parse(printConfiguration(configuration));
		expect(output.embeddings).toEqual({ provider: "embedded" });
		expect(resolveConfiguration({ content: output }).embeddings).toEqual(configuration.embeddings);
		const error = getError({ content: { embeddings: { model: "e" } }, environment });
		expect(error).toContain('"embeddings.model" must be left out');
	});

	test("are refused with the key at fault", () => {
		expect(getError({ content: { embeddings: { base_url: "https://a.example", model: "" } } })).toContain(
			'"embeddings.model"',
		);
		expect(getError({ content: { embeddings: { base_url: "https://a.example" } } })).toBe(
			'stemma.config.json: "embeddings.model" is missing.',
		);
		expect(getError({ environment: { STEMMA_EMBEDDINGS_BASE_URL: "https://a.example" } })).toBe(
			'STEMMA_EMBEDDINGS_MODEL ("embeddings.model") is missing.',
		);
		const cohere = { provider: "cohere", base_url: "https://api.cohere.com/v2" };
		expect(getError({ content: { rerank: cohere } })).toContain('"rerank.model" is missing');
		const credential = { value: "with a blank" };
		const rerank = { provider: "tei", base_url: "http://localhost:8080", credential };
		expect(getError({ content: { rerank } })).toMatch(/"rerank" cannot be used: `credential` must be ASCII/);
		expect(getError({ content: { rerank: { ...rerank, credential: { env: "NOT_SET" } } } })).toContain(
			'"rerank.credential.env" names the environment variable NOT_SET',
		);
	});
});

describe("encryption keys", () => {
	test("are listed in a file or a variable, the first one encrypts, and none is printed", () => {
		const content = { encryption: { keys: [{ id: "2026", key: { env: "KEY" } }] } };
		const one = resolveConfiguration({ content, environment: { KEY } });
		expect(one.encryption.keys.map(({ id, key }) => [id, key.reveal()])).toEqual([["2026", KEY]]);
		const environment = { STEMMA_ENCRYPTION_KEY: `${OTHER_KEY}, ${KEY}` };
		const two = resolveConfiguration({ environment });
		expect(two.encryption.keys.map(({ key }) => key.reveal())).toEqual([OTHER_KEY, KEY]);
		// A key keeps its name wherever it stands.
		const swapped = resolveConfiguration({ environment: { STEMMA_ENCRYPTION_KEY: KEY } });
		expect(swapped.encryption.keys[0]?.id).toBe(two.encryption.keys[1]?.id);
		expect(printConfiguration(two)).not.toMatch(new RegExp(`${OTHER_KEY}|${KEY.slice(0, 20)}`));
	});

	test("are refused without a word of them", () => {
		const message = getError({ environment: { STEMMA_ENCRYPTION_KEY: "hunter2-hunter2" } });
		expect(message).toMatch(
			/^STEMMA_ENCRYPTION_KEY \("encryption.keys\[0\].key"\) .*must be 32 random bytes/,
		);
		expect(message).toContain('"environment-1"');
		expect(message).not.toContain("hunter2");
		const key = { id: "same", key: { value: KEY } };
		expect(
			getError({
				content: { encryption: { keys: [key] } },
				environment: { STEMMA_ENCRYPTION_KEY: OTHER_KEY },
			}),
		).toMatch(/^STEMMA_ENCRYPTION_KEY \("encryption.keys"\) is set in the settings file as well/);
		expect(getError({ content: { encryption: { keys: [key, key] } } })).toContain('occurs twice: "same"');
	});
});

describe("what tenants may name", () => {
	test("comes from the file or a variable", () => {
		const environment = { STEMMA_OUTBOUND_ALLOW: "ollama.lan:11434, 10.0.0.0/8 ,private" };
		expect(resolveConfiguration({ environment }).outbound.allow).toEqual([
			"ollama.lan:11434",
			"10.0.0.0/8",
			"private",
		]);
		expect(getError({ content: { outbound: { allow: ["10.0.0.0/8", "169.254.169.254"] } } })).toMatch(
			/"outbound.allow\[1\]" .*never opened/,
		);
	});
});

describe("credentials of the machine", () => {
	const aws = {
		provider: "bedrock",
		base_url: "https://bedrock-runtime.eu-central-1.amazonaws.com",
		default_model: "eu.amazon.nova-lite-v1:0",
	};
	test("are for Bedrock without a credential, where that is allowed", () => {
		expect(getError({ content: { providers: { aws } } })).toContain(
			'"aws": {"allowAmbientCredentials": true}',
		);
		const environment = { STEMMA_AWS_ALLOW_AMBIENT_CREDENTIALS: "true" };
		expect(resolveConfiguration({ content: { providers: { aws } }, environment }).aws).toEqual({
			allowAmbientCredentials: true,
		});
		expect(getError({ environment: { STEMMA_AWS_ALLOW_AMBIENT_CREDENTIALS: "yes" } })).toContain(
			"true or false",
		);
	});
});

describe("languages of text recognition", () => {
	test("are taken from the file and from the environment", () => {
		expect(resolveConfiguration({ content: { ocr: { languages: ["eng", "chi_sim"] } } }).ocr).toEqual({
			languages: ["eng", "chi_sim"],
		});
		const environment = { STEMMA_OCR_LANGUAGES: "deu,eng" };
		expect(resolveConfiguration({ environment }).ocr).toEqual({ languages: ["deu", "eng"] });
		expect(getError({ content: { ocr: { languages: ["../eng"] } } })).toMatch(/"ocr\.languages\[0\]"/);
	});
});

describe("readers of documents", () => {
	const reader = { name: "drawings", extensions: [".DWG"], media_types: ["Image/Vnd.DWG"] };

	test("are programs or servers, with limits", () => {
		const { readers } = resolveConfiguration({
			content: {
				readers: [
					{ ...reader, command: ["dwg2text", "{file}"], output: "markdown" },
					{ name: "scans", extensions: ["tiff"], tika_url: "http://10.0.0.5:9998/" },
				],
			},
		});
		expect(readers).toEqual([
			{
				name: "drawings",
				extensions: ["dwg"],
				mediaTypes: ["image/vnd.dwg"],
				timeoutMs: 120_000,
				maxOutputBytes: 64 * 1024 * 1024,
				via: {
					kind: "command",
					command: ["dwg2text", "{file}"],
					output: "markdown",
					maxMemoryMebibytes: 1024,
				},
			},
			expect.objectContaining({ name: "scans", via: { kind: "tika", baseUrl: "http://10.0.0.5:9998" } }),
		]);
	});

	test.each([
		[{ ...reader }, /"readers\[0\]" needs one of "command", "tika_url"/],
		[{ ...reader, command: ["x"], tika_url: "http://tika" }, /needs one of/],
		[{ ...reader, command: "dwg2text" }, /"readers\[0\].command" must be a list/],
		[{ ...reader, tika_url: "http://tika", output: "html" }, /only with a "command"/],
		[{ name: "x", command: ["x"] }, /needs "extensions" or "media_types"/],
		[{ ...reader, docling_url: "http://a:b@docling" }, /"readers\[0\]/],
	])("are refused where they say too little or too much: %j", (entry, message) => {
		expect(getError({ content: { readers: [entry] } })).toMatch(message);
	});

	test("have names of their own", () => {
		const entry = { ...reader, command: ["x"] };
		expect(getError({ content: { readers: [entry, entry] } })).toMatch(/"readers\[1\].name" occurs twice/);
	});
});

describe("prices of models", () => {
	const toPrices = (...models: readonly object[]) => ({ prices: { currency: "EUR", models } });

	test("are exact amounts, and are printed with their defaults", () => {
		const configuration = resolveConfiguration({
			content: toPrices(
				{ model: "large", input: "2.50", output: "10" },
				{ model: "judge", input: "0", output: "0", call: "0.002" },
			),
		});
		expect(configuration.prices?.models).toEqual([
			{ model: "large", input: 2_500_000n, output: 10_000_000n, cachedInput: 2_500_000n, call: 0n },
			{ model: "judge", input: 0n, output: 0n, cachedInput: 0n, call: 2000n },
		]);
		expect(JSON.parse(printConfiguration(configuration))).toMatchObject(
			toPrices(
				{ model: "large", input: "2.5", output: "10", cached_input: "2.5", call: "0" },
				{ model: "judge", input: "0", output: "0", cached_input: "0", call: "0.002" },
			),
		);
	});

	test.each([
		[{ model: "m", input: 2.5, output: "1" }, "prices.models[0].input"],
		[{ model: "m", input: "2,5", output: "1" }, "prices.models[0].input"],
		[{ model: "m", input: "-1", output: "1" }, "prices.models[0].input"],
		[{ model: "m", input: "1" }, "prices.models[0].output"],
	])("that are wrong say where: %j", (price, path) => {
		expect(getError({ content: toPrices(price) })).toContain(path);
	});

	test("are one for each model and host", () => {
		const price = { model: "m", input: "1", output: "1" };
		expect(getError({ content: toPrices(price, price) })).toContain("prices.models[1].model");
		const atHost = { ...price, vendor_host: "api.example" };
		expect(resolveConfiguration({ content: toPrices(price, atHost) }).prices?.models).toHaveLength(2);
	});
});
