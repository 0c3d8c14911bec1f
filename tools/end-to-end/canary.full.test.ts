import { randomBytes } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Program } from "@stemma/simulators/processes";
import { createHarness } from "@stemma/simulators/processes";
import { afterAll, beforeAll, expect, it } from "vitest";
// biome-ignore lint/style/noRestrictedImports: supports of tests, which no package exports
import { listBodyRoutes } from "../../packages/service/src/test-support/body-routes";
// biome-ignore lint/style/noRestrictedImports: supports of tests, which no package exports
import { readDocumentedRoutes } from "../../packages/service/src/test-support/service-routes";
// biome-ignore lint/style/noRestrictedImports: supports of tests, which no package exports
import type { Tenant } from "../../packages/service/src/test-support/tenant";
import { createBrokenConfigurations } from "./canaries/broken-configurations";
import {
	type Canary,
	createSecret,
	encodedVariants,
	findCanaries,
	type ScannedText,
} from "./canaries/canaries";
import { callEveryRoute } from "./canaries/every-route";
import { createMisplacedSecrets, sendMisplaced, sendMisplacedInFields } from "./canaries/misplaced-secrets";
import { createRecorder } from "./canaries/recorder";
import { createBrokenKeys, setBrokenKeys, triggerEchoes } from "./canaries/vendor-failures";
import { type CanaryVendors, createCanarySecrets, startCanaryVendors } from "./canaries/vendors";

const stemma = fileURLToPath(new URL("../../packages/cli/dist/main.js", import.meta.url));
const SETTINGS = "/v1/workspace/llm-settings";

const harness = createHarness();
const recorder = createRecorder();
const secrets = createCanarySecrets();
const misplaced = createMisplacedSecrets();
const brokenKeys = createBrokenKeys();
const brokenConfigurations = createBrokenConfigurations();
const encryptionKeys = { old: createKey(), new: createKey(), lost: createKey() };
const programs: Program[] = [];
/** Files, read when there was much to see. */
const files: ScannedText[] = [];
let vendors: CanaryVendors;
let folder: string;
let data: string;
let configFile: string;
let first: { readonly client_id: string; readonly client_secret: string; readonly client_key: string };

function createKey(): string {
	return randomBytes(32).toString("base64");
}

function start(args: readonly string[], env: Readonly<Record<string, string>>): Program {
	const program = harness.start({ args: [stemma, ...args], env, cwd: folder });
	programs.push(program);
	return program;
}

const toEnvironment = (level: string, ...keys: readonly string[]): Record<string, string> => ({
	HOST_KEY: secrets.host,
	STEMMA_LOG_LEVEL: level,
	STEMMA_ENCRYPTION_KEY: keys.join(","),
});

const SERVE = () => ["serve", "--config", configFile, "--data", data, "--port", "0"];

async function serve(level: string, ...keys: readonly string[]): Promise<Program> {
	const program = start(SERVE(), toEnvironment(level, ...keys));
	const [, url = ""] = await program.waitForOutput(/listens on (http:\/\/\S+)/);
	recorder.use({ url });
	first = JSON.parse(await readFile(join(data, "first-credentials.json"), "utf8"));
	const { client_id, client_secret } = first;
	const form = { grant_type: "client_credentials", client_id, client_secret };
	await recorder.send("POST", "/oauth/token", { form, token: null, revealedFields: ["access_token"] });
	recorder.use({ token: recorder.revealed.at(-1)?.value ?? "" });
	return program;
}

async function stop(program: Program, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
	program.kill(signal);
	await program.ended;
}

/** All files of the data folder but the one that holds what the first start has made. */
async function readFiles(when: string): Promise<void> {
	const found = await readdir(data, { recursive: true, withFileTypes: true });
	for (const file of found.filter((one) => one.isFile() && one.name !== "first-credentials.json"))
		files.push({ name: `${file.name} ${when}`, content: await readFile(join(file.parentPath, file.name)) });
}

/** Who has a client key, and what nobody has. */
async function tryKeys(agent: string): Promise<void> {
	const json = { input: "When does it open?" };
	const { client_key: token } = first;
	const run = await recorder.send("POST", `/v1/agents/${agent}/run`, {
		json,
		token,
		revealedFields: ["run_token"],
	});
	const runToken = recorder.revealed.at(-1)?.value ?? "";
	const events = `/v1/runs/${run.body.run_id}/events`;
	const request = { token, headers: { "stemma-run-token": runToken }, revealedFields: ["run_token"] };
	expect((await recorder.send("GET", events, request)).status).toBe(200);
	await recorder.send("GET", events, { token: runToken });
	for (const wrong of [`${token}x`, first.client_secret, secrets.own, runToken])
		await recorder.send("GET", "/v1/models", { token: wrong });
	const form = { grant_type: "client_credentials", client_id: first.client_id, client_secret: secrets.own };
	await recorder.send("POST", "/oauth/token", { form, token: null });
}

let coverage: Awaited<ReturnType<typeof callEveryRoute>>;
let echoes: readonly number[];

/** A life of a service, with all that goes well and wrong. */
async function live(): Promise<void> {
	const { old, new: recent, lost } = encryptionKeys;
	const traced = await serve("trace", old);
	coverage = await callEveryRoute(recorder, secrets, vendors);
	const setSettings = async (): Promise<void> => {
		const [json] = vendors.settings(secrets);
		await recorder.send("PUT", SETTINGS, { json: { ...json, model: "usual" } });
	};
	await setSettings();
	// What the service knows is hidden wherever it stands, in the paths of its log too.
	const server_url = "http://127.0.0.1:9/mcp";
	await recorder.send("PUT", "/v1/workspace/secrets/known", { json: { server_url, value: misplaced.path } });
	await sendMisplaced(recorder, readDocumentedRoutes(), misplaced);
	const { knowledgeBase, agent } = coverage;
	const things = { knowledgeBase, agent, secret: "tool", server: server_url };
	await sendMisplacedInFields(recorder, listBodyRoutes(things as Tenant, vendors.ownUrl), misplaced);
	await tryKeys(coverage.agent);
	await setBrokenKeys(recorder, brokenKeys, vendors);
	echoes = await triggerEchoes(recorder, coverage, secrets, vendors);
	await setSettings();
	await readFiles("while it serves");
	await stop(traced);

	const rotating = await serve("debug", recent, old);
	const rotation = start(
		["keys", "rotate", "--config", configFile, "--data", data],
		toEnvironment("trace", recent, old),
	);
	expect((await rotation.ended).code).toBe(0);
	expect((await recorder.send("GET", SETTINGS)).body.status).toBe("ok");
	// Whatever is under way when it is killed.
	const question = { question: "When does it open?", knowledge_base_ids: [coverage.knowledgeBase] };
	const asking = recorder.send("POST", "/v1/ask", { json: question }).catch(() => undefined);
	await stop(rotating, "SIGKILL");
	await asking;
	await readFiles("after a kill");

	const locked = await serve("info", lost);
	expect((await recorder.send("GET", SETTINGS)).body.status).toBe("undecryptable");
	await recorder.send("POST", "/v1/ask", { json: question });
	await recorder.send("POST", `${SETTINGS}/test`, { json: {} });
	await recorder.send("GET", "/v1/audit");
	await recorder.send("GET", "/v1/usage");
	const second = start(SERVE(), toEnvironment("trace", lost));
	expect((await second.ended).code).toBe(1);
	await stop(locked);
}

/** What ends before it serves. */
async function expectStartFailure(): Promise<void> {
	const { old, new: recent } = encryptionKeys;
	const endings = [
		start([...SERVE(), "--print-config"], toEnvironment("trace", recent, old)).ended,
		...brokenConfigurations.map(async ({ file, env = {} }, index) => {
			const path = join(folder, `broken-${index}.json`);
			await writeFile(path, file ?? "{}");
			const args = ["serve", "--config", path, "--data", join(folder, `nothing-${index}`), "--port", "0"];
			return start(env.STEMMA_LISTEN_PORT === undefined ? args : args.slice(0, -2), env).ended;
		}),
	];
	const codes = (await Promise.all(endings)).map(({ code }) => code);
	expect(codes).toEqual([0, ...brokenConfigurations.map(() => 1)]);
}

async function expectExitFailure(): Promise<void> {
	expect((await start(SERVE(), toEnvironment("trace")).ended).code).toBe(1);
	await writeFile(join(data, "deployment.sqlite"), randomBytes(4096));
	expect((await start(SERVE(), toEnvironment("trace", encryptionKeys.new)).ended).code).toBe(1);
}

beforeAll(async () => {
	vendors = await startCanaryVendors(secrets);
	data = await harness.folder();
	folder = await harness.folder();
	configFile = join(folder, "stemma.config.json");
	const limits = { requests_per_minute: 100_000 };
	await writeFile(configFile, JSON.stringify({ ...vendors.configuration, limits }));
	await Promise.all([live(), expectStartFailure()]);
	await expectExitFailure();
});
afterAll(async () => {
	await Promise.all([harness.end(), vendors?.close()]);
});

const toCanaries = (kinds: Readonly<Record<string, string>>): readonly Canary[] =>
	Object.entries(kinds).map(([kind, value]) => ({ kind, value }));

/** Of credentials that the service makes: what stands before is no secret. */
const ENTROPY = 43;

const listCanaries = (): readonly Canary[] => [
	...toCanaries(secrets),
	...toCanaries(misplaced),
	...toCanaries(brokenKeys),
	...brokenConfigurations.map(({ kind, secret: value }) => ({ kind: `configuration: ${kind}`, value })),
	...Object.entries(encryptionKeys).flatMap(([name, value]) => [
		{ kind: `${name} encryption key`, value },
		{ kind: `bytes of the ${name} encryption key`, value: Buffer.from(value, "base64").toString("hex") },
	]),
	...[
		...recorder.revealed,
		{ field: "client_secret", value: first.client_secret },
		{ field: "client_key", value: first.client_key },
	].map(({ field, value }) => ({ kind: field, value: value.slice(-ENTROPY) })),
];

/** What somebody names is named in the answer to them, and nowhere else. */
const NAMED_IN_ANSWERS: ReadonlySet<string> = new Set([
	misplaced.path,
	misplaced["name of a query parameter"],
	misplaced["name of a field"],
]);
const NAMED_IN_OUTPUTS: ReadonlySet<string> = new Set(
	brokenConfigurations.filter(({ isNamed }) => isNamed).map(({ secret }) => secret),
);

const listCanariesBut = (named: ReadonlySet<string>): readonly Canary[] =>
	listCanaries().filter(({ value }) => !named.has(value));

const listOutputs = (): readonly ScannedText[] =>
	programs.map(({ name, output }) => ({
		name: `output of ${name.replace(stemma, "stemma")}`,
		content: output(),
	}));

it("goes through every route, and fails in every way", () => {
	const others = ["GET /assets/:id", "GET /docs/assets/:id", "GET /oauth/authorize", "POST /oauth/token"];
	// Sessions by an invitation reach one workspace.
	const ofOperators = ["POST /v1/session/workspace"];
	// They need an issuer, which the tests of their routes have.
	const ofIssuers = ["GET /v1/sign-in/:id", "GET /v1/sign-in/:id/callback", "POST /v1/sign-in/:id/logout"];
	expect([...coverage.routes, ...others, ...ofIssuers, ...ofOperators].sort()).toEqual(
		readDocumentedRoutes(),
	);
	expect(recorder.answers.length).toBeGreaterThan(1500);
	expect(new Set(echoes)).toEqual(new Set([200, 502]));
	for (const sent of [secrets.usedTool, secrets.pushToken, secrets.pushCredentials])
		expect(vendors.echo.receivedHeaders().includes(sent)).toBe(true);
	const revealed = recorder.revealed.map(({ field }) => field.replace(/^cookie stemma-.*/, "cookie"));
	expect(new Set(revealed)).toEqual(
		new Set([
			...["access_token", "client_secret", "client_key", "document_url", "run_token", "answer_token"],
			...["cookie", "link", "redirect_to", "token"],
		]),
	);
	expect(files.map(({ name }) => name)).toEqual(
		expect.arrayContaining([expect.stringMatching(/-wal while it serves$/)]),
	);
});

it("shows no secret in any output", () => {
	const outputs = listOutputs();
	expect(outputs.some(({ content }) => content.includes("****"))).toBe(true);
	expect(findCanaries(outputs, listCanariesBut(NAMED_IN_OUTPUTS))).toEqual([]);
});

it("shows no secret in any answer, but for the one that is meant to", () => {
	expect(findCanaries(recorder.answers, listCanariesBut(NAMED_IN_ANSWERS))).toEqual([]);
});

it("keeps no secret in any file as it is", () => {
	expect(findCanaries(files, listCanaries())).toEqual([]);
});

it("would find each of them, in whatever form", () => {
	for (const { kind, value } of listCanaries())
		for (const [form, text] of Object.entries(encodedVariants(value))) {
			const texts = [
				{ name: "a file", content: Buffer.concat([randomBytes(100), Buffer.from(text), randomBytes(100)]) },
			];
			expect(findCanaries(texts, [{ kind, value }]).join()).toContain(`${kind} (${form}) in a file`);
		}
	expect(findCanaries([{ name: "a file", content: createSecret() }], listCanaries())).toEqual([]);
});
