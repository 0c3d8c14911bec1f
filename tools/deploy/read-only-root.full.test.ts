import { execFileSync } from "node:child_process";
import { chmod, chown, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runContainer, startContainer } from "./container.ts";
import { createImageFolder, type ImageFolder } from "./image-folder.ts";
import { readStages } from "./read-dockerfile.ts";

// The image of the service as its own root, which is mounted read-only; Debian's libraries are this machine's.

/** Mounts need root, or a namespace of users that may have its own. */
const canMount = ((): boolean => {
	try {
		execFileSync("unshare", ["--mount", "mount", "-t", "tmpfs", "tmpfs", tmpdir()], { stdio: "ignore" });
		return process.getuid?.() === 0;
	} catch {
		return false;
	}
})();

/** Folders of the base image that the programs need. */
const LIBRARIES = ["usr/lib", "usr/lib64"];

let folder: string;
let image: ImageFolder;
let data: string;
beforeAll(async () => {
	if (!canMount) return;
	folder = await mkdtemp(join(tmpdir(), "stemma-root-"));
	await chmod(folder, 0o755);
	image = await createImageFolder(await readStages(), "service", folder);
	for (const path of [...LIBRARIES, "proc", "tmp", "etc", "dev"])
		await mkdir(image.toPath(`/${path}`), { recursive: true });
	for (const path of ["lib", "lib64"]) await symlink(`usr/${path}`, image.toPath(`/${path}`));
	await writeFile(image.toPath("/dev/null"), "");
	data = join(folder, "data");
	await mkdir(data);
	await chown(data, image.uid, image.uid);
	await chmod(data, 0o700);
}, 300_000);
afterAll(async () => {
	if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

/** Enters a root of its own: all is read-only but the data and the folder for temporary files. */
function toRootCommand(): readonly string[] {
	const root = image.toPath("").replace(/\/$/, "");
	const mounts = [
		`mount --bind ${root} ${root}`,
		...LIBRARIES.map((path) => `mount --rbind /${path} ${root}/${path}`),
		`mount -t proc proc ${root}/proc`,
		`mount --bind /dev/null ${root}/dev/null`,
		`mount -t tmpfs -o mode=1777 tmpfs ${root}/tmp`,
		`mount --bind ${data} ${root}/data`,
		`mount -o remount,bind,ro ${root}`,
	];
	const enter = `exec unshare -R ${root} -w /app -S ${image.uid} -G ${image.uid} -- "$@"`;
	return ["unshare", "--mount", "sh", "-c", [...mounts, enter].join(" && "), "sh"];
}

const toOptions = (args: readonly string[]) => ({
	args,
	through: toRootCommand(),
	hasOwnRoot: true,
	environment: {
		PATH: `/usr/local/bin:${process.env.PATH}`,
		STEMMA_LISTEN_HOST: "127.0.0.1",
		STEMMA_LISTEN_PORT: "0",
	},
});

const runInRoot = (args: readonly string[]) => runContainer(image, toOptions(args));

describe.skipIf(!canMount)("the image of the service on a read-only root", () => {
	it("is started as user 1000, who can write nowhere but to the data", async () => {
		const script = `
			import { appendFileSync } from "node:fs";
			const tryTo = (path) => { try { appendFileSync(path, ""); return "written"; } catch ({ code }) { return code; } };
			console.log(process.getuid(), ["/app/x", "/x", "/usr/x", "/data/x", "/tmp/x"].map(tryTo).join());`;
		const { code, output } = await runInRoot([
			"node",
			"--input-type=module",
			"-e",
			script.replaceAll("\n", " "),
		]);
		expect([code, output.trim()]).toEqual([0, "1000 EROFS,EROFS,EROFS,written,written"]);
	});

	it("serves, is healthy and ends in order", async () => {
		const service = startContainer(image, toOptions([...image.entrypoint, ...image.command]));
		const [, port] = await service.waitForOutput(/listens on http:\/\/[^\s:]+:(\d+)/);
		const check = image.healthcheck.map((arg) => arg.replace(":4000", `:${port}`));
		expect(await runInRoot(check)).toEqual({ code: 0, output: "" });
		expect(await readdir(data)).toContain("first-credentials.json");
		service.child.kill("SIGTERM");
		expect(await service.ended).toEqual({ code: 0, signal: null });
	});
});
