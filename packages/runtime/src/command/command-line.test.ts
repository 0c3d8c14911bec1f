import { describe, expect, it } from "vitest";
import { parseCommandLine } from "./command-line";
import { runRuntimeCommand } from "./run-runtime-command";

describe("parseCommandLine", () => {
	it("reads a folder alone", () => {
		expect(parseCommandLine(["agents"])).toEqual({
			kind: "start",
			folder: "agents",
			port: undefined,
			host: undefined,
			strict: false,
			allowAnonymous: false,
			service: undefined,
			graceMs: undefined,
		});
	});

	it("reads every option", () => {
		const args =
			"--port 0 --host ::1 agents --strict --allow-anonymous --service http://s.example --grace-ms=5";
		expect(parseCommandLine(args.split(" "))).toEqual({
			kind: "start",
			folder: "agents",
			port: 0,
			host: "::1",
			strict: true,
			allowAnonymous: true,
			service: "http://s.example",
			graceMs: 5,
		});
	});

	it.each([
		[[], "The folder of agent files is missing."],
		[["a", "b"], "One folder is expected, and there is more: b."],
		[["a", "--prot", "1"], "Unknown option '--prot'."],
		[["a", "--port"], "Option '--port <value>' argument missing."],
		[["a", "--port", "http"], "--port has to be a whole number from 0 to 65535."],
		[["a", "--port", "65536"], "--port has to be a whole number from 0 to 65535."],
		[["a", "--grace-ms", "1.5"], "--grace-ms has to be a whole number"],
		[["a", "--strict=yes"], "Option '--strict' does not take an argument."],
	])("refuses %j", (args, message) => {
		expect(() => parseCommandLine(args)).toThrow(message);
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
