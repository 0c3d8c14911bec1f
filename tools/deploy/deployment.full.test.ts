import { execFileSync } from "node:child_process";
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Container, runContainer, startContainer } from "./container.ts";
import { createImageFolder, type ImageFolder } from "./image-folder.ts";
import { type ComposeService, readCompose } from "./read-compose.ts";
import { readStages } from "./read-dockerfile.ts";

// The compose file without Docker: the same files, programs, variables, users and secrets; names of hosts lead to this machine.

const TOKEN = "t0ken-of-the-runtime";
const isRoot = process.getuid?.() === 0;

let folder: string;
let model: OpenAiSimulator;
let images: { readonly service: ImageFolder; readonly runtime: ImageFolder };
let service: Container;
let runtime: Container;
let serviceUrl: string;
let runtimeUrl: string;
const { services } = await readCompose();

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "stemma-deploy-"));
	await chmod(folder, 0o755);
	model = await startOpenAiSimulator({
		models: ["llama3.2"],
		behaviour: () => ({ kind: "reply", text: "From the model." }),
	});
	const stages = await readStages();
	const writeFiles = (target: string): Promise<ImageFolder> =>
		createImageFolder(stages, target, join(folder, target));
	images = { service: await writeFiles("service"), runtime: await writeFiles("runtime") };
	await chownTo(images.service.toPath("/data"), images.service.uid);
});
afterAll(async () => {
	for (const container of [service, runtime]) container?.child.kill("SIGKILL");
	await model.close();
	await rm(folder, { recursive: true, force: true });
});

async function chownTo(path: string, uid: number): Promise<void> {
	if (isRoot) await chown(path, uid, uid);
}

/** As a secret comes into a container: a file that its user alone can read. */
async function writeSecret(image: ImageFolder, text: string): Promise<void> {
	await mkdir(image.toPath("/run/secrets"), { recursive: true });
	const file = image.toPath("/run/secrets/stemma.env");
	await writeFile(file, text, { mode: 0o400 });
	await chownTo(file, image.uid);
}

/** The variables of the file, with hosts that are here, and any port that is free. */
const toEnvironment = ({ environment = {} }: ComposeService, more: Readonly<Record<string, string>>) => ({
	...Object.fromEntries(
		Object.entries(environment).map(([name, value]) => [
			name,
			value.replace("http://ollama:11434/v1", model.baseUrl).replace("http://service:4000", serviceUrl ?? ""),
		]),
	),
	...more,
});

const toFreePort = (healthcheck: readonly string[], url: string): string[] =>
	healthcheck.map((arg) => arg.replace(/^http:\/\/127\.0\.0\.1:\d+/, url));

const addressIn = (pattern: RegExpExecArray): string => `http://127.0.0.1:${pattern[1]}`;

it("packs nothing but what production needs", async () => {
	for (const image of Object.values(images)) {
		const packages = await readdir(image.toPath("/app/node_modules/.pnpm"));
		expect(packages.filter((name) => /^(typescript|vitest|tsup|esbuild|biome)/.test(name))).toEqual([]);
	}
	const runtimePackages = await readdir(images.runtime.toPath("/app/node_modules/.pnpm"));
	expect(
		runtimePackages.filter((name) => /^(@stemma\+service|kysely|sqlite-vec|@aws-sdk)/.test(name)),
	).toEqual([]);
});

it("starts the service, which keeps its data and writes nowhere else", async () => {
	const image = images.service;
	const before = await listOutsideData(image);
	const { entrypoint } = image;
	const args = [...entrypoint, ...(services.service?.command ?? [])];
	const generated = await runContainer(image, { args: [...entrypoint, "keys", "generate"] });
	expect(generated.code).toBe(0);
	await writeSecret(image, `STEMMA_ENCRYPTION_KEY=${/^[\w+/=-]{40,}$/m.exec(generated.output)?.[0]}\n`);
	const environment = toEnvironment(services.service ?? {}, { STEMMA_LISTEN_PORT: "0" });
	service = startContainer(image, { args, environment });
	serviceUrl = addressIn(await service.waitForOutput(/listens on http:\/\/[^\s:]+:(\d+)/));
	const health = toFreePort(services.service?.healthcheck?.test.slice(1) ?? [], serviceUrl);
	expect(await runContainer(image, { args: health })).toEqual({ code: 0, output: "" });
	expect(await readdir(image.toPath("/data"))).toContain("first-credentials.json");
	expect(await listOutsideData(image)).toEqual([...before, "run/secrets/stemma.env"].sort());
});

it("hands the runtime its credentials, and asks the model through it", async () => {
	const image = images.runtime;
	const command = ["clients", "create", "runtime", "--scope", "ask", "--scope", "agents:run"];
	const made = await runContainer(images.service, {
		args: ["node", "dist/main.js", ...command],
		environment: { ...images.service.environment },
	});
	const credentials = made.output.match(/^STEMMA_CLIENT_\w+=\S+$/gm) ?? [];
	expect(credentials).toHaveLength(2);
	await writeSecret(image, `${credentials.join("\n")}\nSTEMMA_RUNTIME_TOKEN=${TOKEN}\n`);
	await cp(new URL("../../deploy/agents", import.meta.url), image.toPath("/agents"), { recursive: true });
	const args = [...image.entrypoint, ...(services.runtime?.command ?? []), "--port", "0"];
	runtime = startContainer(image, { args, environment: toEnvironment(services.runtime ?? {}, {}) });
	runtimeUrl = addressIn(await runtime.waitForOutput(/listens on http:\/\/[^\s:]+:(\d+)/));
	const health = toFreePort(services.runtime?.healthcheck?.test.slice(1) ?? [], runtimeUrl);
	expect(await runContainer(image, { args: health })).toEqual({ code: 0, output: "" });
	expect((await post("desk", "a guess")).status).toBe(401);
	const answer = await post("desk", TOKEN);
	expect(await answer.json()).toMatchObject({
		status: "completed",
		output: "From the model.",
		receipt: [{ payer: "deployment", model: "llama3.2" }],
	});
});

const post = (agent: string, token: string): Promise<Response> =>
	fetch(`${runtimeUrl}/run/${agent}`, {
		method: "POST",
		headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
		body: '{"input":"Is anyone there?"}',
	});

it("shows no secret among variables, arguments and words", async () => {
	const secrets = await Promise.all(
		Object.values(images).map((image) => readFile(image.toPath("/run/secrets/stemma.env"), "utf8")),
	);
	const values = secrets.flatMap((text) => [...text.matchAll(/=(\S+)$/gm)].map(([, value = ""]) => value));
	expect(values.length).toBe(4);
	const shown = JSON.stringify([services, images]) + service.output() + runtime.output();
	// The id of a client is no secret.
	expect(values.filter((value) => !value.startsWith("cl_") && shown.includes(value))).toEqual([]);
});

it("stops both on SIGTERM, in order", async () => {
	for (const container of [runtime, service]) {
		container.child.kill("SIGTERM");
		expect(await container.ended).toEqual({ code: 0, signal: null });
	}
	const health = toFreePort(images.service.healthcheck, serviceUrl);
	expect(await runContainer(images.service, { args: health })).toEqual({ code: 1, output: "" });
});

const canUnshare = ((): boolean => {
	try {
		execFileSync("unshare", ["--pid", "--fork", "true"], { stdio: "ignore" });
		return true;
	} catch {
		return false;
	}
})();

it.skipIf(!canUnshare)("stops as the first process of its own space, too", async () => {
	const image = images.service;
	const through = [
		"unshare",
		"--pid",
		"--fork",
		"--kill-child",
		"setpriv",
		`--reuid=${image.uid}`,
		`--regid=${image.uid}`,
		"--clear-groups",
		"--",
	];
	const args = [...image.entrypoint, ...image.command];
	const first = startContainer(image, {
		args,
		through,
		environment: { PATH: process.env.PATH ?? "", STEMMA_LISTEN_PORT: "0" },
	});
	await first.waitForOutput(/listens on/);
	const { pid } = first.child;
	const [child] = (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).trim().split(" ");
	process.kill(Number(child), "SIGTERM");
	expect(await first.ended).toEqual({ code: 0, signal: null });
});

async function listOutsideData(image: ImageFolder): Promise<readonly string[]> {
	const all = await readdir(image.toPath("/"), { recursive: true, withFileTypes: true });
	return all
		.filter((entry) => !entry.isDirectory())
		.map(({ parentPath, name }) => join(parentPath, name).slice(image.toPath("/").length))
		.filter((path) => !path.startsWith("data/"))
		.sort();
}
