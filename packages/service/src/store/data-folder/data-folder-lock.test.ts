import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isStemmaError } from "@stemma/core/errors";
import { afterEach, beforeEach, expect, it } from "vitest";
import { lockDataFolder } from "./data-folder-lock";

let folder: string;
let lockHolder: ChildProcess | undefined;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "stemma-lock-"));
});
afterEach(async () => {
	if (lockHolder?.kill("SIGKILL")) await once(lockHolder, "exit");
	lockHolder = undefined;
	rmSync(folder, { recursive: true });
});

const lockFile = () => join(folder, "lock.sqlite");

/** A deployment database with what the lock looks for in it, in the mode that the service uses. */
function makeDeployment(): void {
	const database = new DatabaseSync(join(folder, "deployment.sqlite"));
	database.exec("PRAGMA journal_mode = WAL");
	database.exec("CREATE TABLE deployment_secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT");
	database.close();
}

/** Another process that has the deployment open, as a service has, and held a lock file that is gone by now. */
async function lockInOtherProcess(): Promise<void> {
	const script = `
const { DatabaseSync } = require("node:sqlite");
const database = new DatabaseSync(process.argv[1]);
database.prepare("SELECT count(*) FROM deployment_secrets").get();
console.log("open");
setInterval(() => database, 1000);`;
	lockHolder = spawn(process.execPath, ["-e", script, join(folder, "deployment.sqlite")], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	if (lockHolder.stdout === null) throw new Error("The process has no output.");
	const hasOpened = once(lockHolder.stdout, "data").then(() => true);
	const hasEnded = once(lockHolder, "exit").then(() => false);
	if (!(await Promise.race([hasOpened, hasEnded]))) throw new Error("The process did not open the database.");
}

function getLockError(): string | undefined {
	try {
		lockDataFolder(folder).release();
		return undefined;
	} catch (error) {
		if (!isStemmaError(error)) throw error;
		return error.code;
	}
}

it("keeps a second one out, and lets it in after that", () => {
	const lock = lockDataFolder(folder);
	expect(getLockError()).toBe("data_folder_in_use");
	lock.release();
	expect(getLockError()).toBeUndefined();
});

it.each(["deleted", "replaced by an empty one"])(
	"keeps a second service out when the lock file was %s",
	async (how) => {
		makeDeployment();
		lockDataFolder(folder).release();
		await lockInOtherProcess();
		rmSync(lockFile(), { force: true });
		if (how !== "deleted") writeFileSync(lockFile(), "");
		// Each try leaves a lock file that nobody holds.
		for (let tries = 0; tries < 3; tries++) expect(getLockError()).toBe("data_folder_in_use");
	},
);

it("takes a folder that was moved, and one whose lock file is lost, when nobody uses it", () => {
	makeDeployment();
	lockDataFolder(folder).release();
	rmSync(lockFile());
	expect(getLockError()).toBeUndefined();
	copyFileSync(lockFile(), `${lockFile()}.copy`);
	rmSync(lockFile());
	copyFileSync(`${lockFile()}.copy`, lockFile());
	expect(getLockError()).toBeUndefined();
});

it("writes through no link", () => {
	const target = join(folder, "elsewhere");
	symlinkSync(target, lockFile());
	expect(getLockError()).toBe("storage_unsafe");
	writeFileSync(target, "");
	expect(getLockError()).toBe("storage_unsafe");
});
