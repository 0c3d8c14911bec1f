import { describe, expect, it } from "vitest";
import { parseCommandLine } from "./command-line";
import { HELP, OPTIONS } from "./options";
import { runRuntimeCommand } from "./run-runtime-command";

describe("parseCommandLine", () => {
	const parse = (line: string, env: Readonly<Record<string, string>> = {}) =>
		parseCommandLine(line === "" ? [] : line.split(" "), env);

	it("reads a folder alone", () => {
		expect(parse("agents")).toEqual({
			kind: "start",
			folder: "agents",
			strict: false,
			allowAnonymous: false,
			limits: {},
			timeouts: {},
		});
	});

	const everything = {
		port: 0,
		host: "::1",
		trustedProxies: ["loopback", "10.0.0.0/8"],
		strict: true,
		allowAnonymous: true,
		service: "http://s.example",
		graceMs: 5,
		maxRuns: 7,
		limits: { timeoutMs: 8, maxSteps: 9, maxDepth: 10, maxTokens: 11 },
		timeouts: { headerMs: 12, requestMs: 13, idleMs: 0, stalledMs: 14 },
	};

	it("reads every option", () => {
		const options =
			"--port 0 --host ::1 --trusted-proxies loopback,10.0.0.0/8 agents --strict --allow-anonymous --service http://s.example --grace-ms=5 --max-runs 7 --timeout-ms 8 --max-steps 9 --max-depth 10 --max-tokens 11 --header-timeout-ms 12 --request-timeout-ms 13 --idle-timeout-ms 0 --stalled-timeout-ms 14";
		expect(parse(options)).toEqual({ kind: "start", folder: "agents", ...everything });
	});

	const variables = {
		STEMMA_RUNTIME_AGENTS: "mounted",
		STEMMA_RUNTIME_PORT: "0",
		STEMMA_RUNTIME_HOST: "::1",
		STEMMA_RUNTIME_TRUSTED_PROXIES: "loopback, 10.0.0.0/8",
		STEMMA_RUNTIME_STRICT: "true",
		STEMMA_RUNTIME_ALLOW_ANONYMOUS: "1",
		STEMMA_BASE_URL: "http://s.example",
		STEMMA_RUNTIME_GRACE_MS: "5",
		STEMMA_RUNTIME_MAX_RUNS: "7",
		STEMMA_RUNTIME_TIMEOUT_MS: "8",
		STEMMA_RUNTIME_MAX_STEPS: "9",
		STEMMA_RUNTIME_MAX_DEPTH: "10",
		STEMMA_RUNTIME_MAX_TOKENS: "11",
		STEMMA_RUNTIME_HEADER_TIMEOUT_MS: "12",
		STEMMA_RUNTIME_REQUEST_TIMEOUT_MS: "13",
		STEMMA_RUNTIME_IDLE_TIMEOUT_MS: "0",
		STEMMA_RUNTIME_STALLED_TIMEOUT_MS: "14",
	};

	it("reads every option from its variable too, and takes the option first", () => {
		expect(parse("", variables)).toEqual({ kind: "start", folder: "mounted", ...everything });
		expect(parse("agents --max-runs 1 --host a --print-config", variables)).toEqual({
			...everything,
			kind: "print-config",
			folder: "agents",
			maxRuns: 1,
			host: "a",
		});
		const empty = Object.fromEntries(Object.keys(variables).map((name) => [name, ""]));
		expect(parse("agents", empty)).toEqual(parse("agents"));
	});

	it.each([
		["STEMMA_RUNTIME_PORT", "http", "STEMMA_RUNTIME_PORT has to be a whole number from 0 to 65535."],
		["STEMMA_RUNTIME_MAX_RUNS", "0", "STEMMA_RUNTIME_MAX_RUNS has to be a whole number from 1 to"],
		["STEMMA_RUNTIME_STRICT", "yes", "STEMMA_RUNTIME_STRICT has to be true or false."],
	])("refuses %s=%s", (name, value, message) => {
		expect(() => parse("agents", { [name]: value })).toThrow(message);
	});

	it("tells of every option", () => {
		for (const name of Object.keys(OPTIONS)) expect(HELP).toContain(`--${name}`);
		for (const line of HELP.split("\n")) expect(line.length).toBeLessThanOrEqual(110);
	});

	it.each([
		[[], "The folder of agent files is missing."],
		[["a", "b"], "Expected one folder, and got more: b."],
		[["a", "--prot", "1"], "Unknown option '--prot'."],
		[["a", "--port"], "Option '--port <value>' argument missing."],
		[["a", "--port", "http"], "--port has to be a whole number from 0 to 65535."],
		[["a", "--port", "65536"], "--port has to be a whole number from 0 to 65535."],
		[["a", "--grace-ms", "1.5"], "--grace-ms has to be a whole number"],
		[["a", "--strict=yes"], "Option '--strict' does not take an argument."],
	])("refuses %j", (args, message) => {
		expect(() => parseCommandLine(args, {})).toThrow(message);
	});
});

describe("runRuntimeCommand", () => {
	async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
		let stdout = "";
		let stderr = "";
		const code = await runRuntimeCommand(args, {
			stdout: { write: (text) => (stdout += text) },
			stderr: { write: (text) => (stderr += text) },
			env,
			signal: AbortSignal.abort(),
		});
		return { code, stdout, stderr };
	}

	const credentials = { STEMMA_CLIENT_ID: "cl_1", STEMMA_CLIENT_SECRET: "s3cret" };

	it("explains itself", async () => {
		expect(await run(["--help"])).toMatchObject({
			code: 0,
			stderr: "",
			stdout: expect.stringContaining("Usage:"),
		});
		expect(await run(["-v"])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
	});

	it("prints what it would start with, without a secret", async () => {
		const env = { ...credentials, STEMMA_TOOL_B: "s3cret", STEMMA_TOOL_A: "s3cret", STEMMA_TOOL_C: "" };
		const options = ["--max-runs", "5", "--max-steps", "6", "--idle-timeout-ms", "0", "--print-config"];
		const { code, stdout } = await run(["agents", ...options], env);
		expect(code).toBe(0);
		expect(JSON.parse(stdout)).toEqual({
			folder: "agents",
			port: 4120,
			host: "127.0.0.1",
			trustedProxies: [],
			service: "not set",
			strict: false,
			allowAnonymous: false,
			graceMs: 10_000,
			maxRuns: 5,
			limits: {
				timeoutMs: "the graph's",
				maxSteps: 6,
				maxDepth: "the graph's",
				maxTokens: "the graph's",
			},
			timeouts: { headerMs: 10_000, requestMs: 30_000, idleMs: 0, stalledMs: 60_000 },
			STEMMA_CLIENT_ID: "set",
			STEMMA_CLIENT_SECRET: "set",
			STEMMA_RUNTIME_TOKEN: "not set",
			toolSecrets: ["STEMMA_TOOL_A", "STEMMA_TOOL_B"],
		});
		expect(stdout).not.toContain("s3cret");
	});

	it("notes variables that are no options, and not their values", async () => {
		const { stderr } = await run(["."], {
			STEMMA_RUNTIME_MAXRUNS: "s3cret",
			STEMMA_RUNTIME_XYZ: "s3cret",
			STEMMA_RUNTIME_TOKEN: "t0ken",
			STEMMA_RUNTIME_MAX_RUNS: "5",
			STEMMA_RUNTIME_SERVICE_HOST: "10.0.0.1",
			STEMMA_RUNTIME_PORT_4120_TCP: "tcp://10.0.0.1:4120",
		});
		expect(stderr.split("\n").filter((line) => line.startsWith("note:"))).toEqual([
			"note: STEMMA_RUNTIME_MAXRUNS is not an option; did you mean STEMMA_RUNTIME_MAX_RUNS?",
			"note: STEMMA_RUNTIME_XYZ is not an option.",
		]);
		expect(stderr).not.toContain("s3cret");
	});

	it.each([
		["an unknown option", ["--nope"], {}, "--help"],
		["no credentials", ["."], {}, "STEMMA_CLIENT_ID"],
		["half a credential", ["."], { STEMMA_CLIENT_ID: "cl_1" }, "STEMMA_CLIENT_SECRET"],
		["no address", ["."], credentials, "STEMMA_BASE_URL"],
		["an address that is none", [".", "--service", "nowhere"], credentials, "address"],
		["a missing folder", ["./nowhere", "--service", "http://127.0.0.1:1"], credentials, "does not exist"],
	])("refuses %s with a hint", async (_, args, env, message) => {
		const { code, stdout, stderr } = await run(args, env);
		expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
		expect(stderr).toMatch(/^error: /);
		expect(stderr).toContain(message);
		expect(stderr).not.toContain("s3cret");
	});
});
