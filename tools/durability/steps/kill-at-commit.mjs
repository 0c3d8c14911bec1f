// node --import kill-at-commit.mjs …: kills the process at one of its commits to SQLite, in whichever thread that is. While the file
// STEMMA_KILL_FILE is there, each commit passes two points, before it and after it; the process is killed at the point whose number
// is in the file, and never where that is 0. The file with `.passed` added to its name has one byte for each point so far.
import { appendFileSync, readFileSync, statSync } from "node:fs";
import { DatabaseSync, StatementSync } from "node:sqlite";

const file = process.env.STEMMA_KILL_FILE ?? "";
const { exec, prepare } = DatabaseSync.prototype;
const databases = new WeakMap();

DatabaseSync.prototype.exec = function (sql) {
	return sql === "COMMIT" ? passPoints(() => exec.call(this, sql)) : exec.call(this, sql);
};

DatabaseSync.prototype.prepare = function (sql, ...options) {
	const statement = prepare.call(this, sql, ...options);
	databases.set(statement, this);
	return statement;
};

for (const method of ["run", "all", "get"]) {
	const execute = StatementSync.prototype[method];
	StatementSync.prototype[method] = function (...parameters) {
		const work = () => execute.apply(this, parameters);
		return isCommit(this) ? passPoints(work) : work();
	};
}

/** A statement that writes is a transaction of its own where it is in no other one. */
function isCommit(statement) {
	const sql = statement.sourceSQL;
	if (/^\s*commit\b/iu.test(sql)) return true;
	return !databases.get(statement)?.isTransaction && /^\s*(insert|update|delete|with)\b/iu.test(sql);
}

function passPoints(commit) {
	passPoint();
	const result = commit();
	passPoint();
	return result;
}

function passPoint() {
	const at = readNumber();
	if (at === undefined) return;
	appendFileSync(`${file}.passed`, ".");
	if (statSync(`${file}.passed`).size !== at) return;
	process.kill(process.pid, "SIGKILL");
	// The signal takes a moment.
	for (;;);
}

function readNumber() {
	try {
		return Number(readFileSync(file, "utf8"));
	} catch {
		return undefined;
	}
}
