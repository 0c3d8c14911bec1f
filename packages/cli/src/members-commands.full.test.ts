import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestCli, type TestCli, waitForExit, waitForOutput } from "./test-support/command";

let cli: TestCli;
let service: ChildProcess;
let origin: string;
beforeAll(async () => {
	cli = await createTestCli();
	service = cli.start(["serve", "--port", "0"]);
	const [, url = ""] = await waitForOutput(service, /listens on (\S+)\n/);
	origin = url.replace("127.0.0.1", "localhost");
});
afterAll(() => cli.close());

/** Signs in with a link, as the page does that it opens. */
async function signIn(link: string): Promise<{ readonly status: number; readonly role?: string }> {
	const { hash } = new URL(link);
	const response = await fetch(`${origin}/v1/session`, {
		method: "POST",
		headers: { "content-type": "application/json", origin, "stemma-csrf": "1" },
		body: JSON.stringify({ token: hash.replace("#sign-in=", "") }),
	});
	const { role } = (await response.json()) as { readonly role?: string };
	return { status: response.status, ...(role !== undefined && { role }) };
}

describe("stemma login-link", () => {
	it("signs the first admin in, once, while the service runs", async () => {
		const { code, stdout, stderr } = await cli.stemma("login-link");
		expect([code, stdout.startsWith(`${origin}/#sign-in=sl_`)]).toEqual([0, true]);
		expect(stderr).toContain("once, within 15 minutes");
		expect(await signIn(stdout.trim())).toEqual({ status: 201, role: "admin" });
		expect((await signIn(stdout.trim())).status).toBe(401);
	});

	it("is for a person, a role and an address of choice", async () => {
		const args = [
			"--email",
			"Ada@Example.com",
			"--role",
			"editor",
			"--url",
			"https://kb.example/x",
			"--json",
		];
		const { stdout } = await cli.stemma("login-link", ...args);
		const { link } = JSON.parse(stdout);
		expect(link).toMatch(/^https:\/\/kb\.example\/#sign-in=sl_/);
		expect(await signIn(link)).toEqual({ status: 201, role: "editor" });
	});

	it("takes the data folder of the environment, as in the image", async () => {
		const command = cli.start(["login-link"], { STEMMA_DATA_FOLDER: "no-folder" });
		const { code, stderr } = await waitForExit(command);
		expect(code).toBe(1);
		expect(stderr).toContain('The data folder "no-folder" does not exist.');
	});

	it.each([
		[["--data", "nowhere"], /does not exist/],
		[["--email", "nobody"], /is not an e-mail address/],
		[["--role", "owner"], /Allowed choices are viewer, editor, admin/],
		[["--url", "javascript:alert(1)"], /--url is not an address/],
		[["--workspace", "none"], /no workspace "none"/],
	])("refuses %j", async (args, message) => {
		const { code, stdout, stderr } = await cli.stemma("login-link", ...args);
		expect([code, stdout]).toEqual([1, ""]);
		expect(stderr).toMatch(message);
	});
});

describe("stemma members", () => {
	it("invites, lists, changes roles and removes", async () => {
		const members = (...args: readonly string[]) => cli.stemma("members", ...args);
		const invited = await members("invite", "Grace@example.com", "--role", "editor");
		expect(invited.stderr).toContain("Send the link to grace@example.com alone");
		expect((await members("list")).stdout).toMatch(/inv_\S+ +grace@example\.com +editor +invited until/);
		expect(await signIn(invited.stdout.trim())).toEqual({ status: 201, role: "editor" });
		expect((await members("role", "grace@example.com", "viewer")).stdout).toBe(
			"grace@example.com is viewer now.\n",
		);
		expect((await cli.stemma("users", "list")).stdout).toMatch(
			/usr_\S+ +grace@example\.com +grace +viewer +active/,
		);
		expect((await members("passkeys", "grace@example.com")).stdout).toBe("This member has no passkey.\n");
		const noPasskey = await members("remove-passkey", "pk_unknown");
		expect([noPasskey.code, noPasskey.stderr]).toEqual([1, expect.stringContaining("no such passkey")]);
		expect((await members("remove", "Grace@example.com")).stdout).toMatch(
			/^Removed grace@example\.com \(usr_/,
		);
		const exported = (await members("export", "grace@example.com")).stdout.trim().split("\n");
		expect(exported.map((line) => JSON.parse(line).type)).toEqual(["profile"]);
		expect((await members("delete", "grace@example.com")).stdout).toMatch(
			/^Deleted grace@example\.com \(usr_\S+\) with all of their data\./,
		);
		await members("invite", "alan@example.com");
		expect((await members("remove", "alan@example.com")).stdout).toMatch(/^Revoked the invitation of alan@/);
		const list = JSON.parse((await members("list", "--json")).stdout);
		expect(list.map(({ email }: { email: string }) => email).sort()).toEqual([
			"ada@example.com",
			"admin@localhost",
		]);
	});

	it("keeps the last admin, and says who is not there", async () => {
		const last = await cli.stemma(
			"members",
			"remove",
			"admin@localhost",
			"--data",
			join(cli.folder, "stemma-data"),
		);
		expect([last.code, last.stderr]).toEqual([1, expect.stringContaining("last admin")]);
		const unknown = await cli.stemma("members", "role", "eve@example.com", "admin");
		expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("no member")]);
	});
});
