import { randomBytes } from "node:crypto";
import { ConfigurationError } from "@stemma/core/errors";
import type { Logger } from "pino";
import { describe, expect, it } from "vitest";
import { Secret } from "../encryption/secret";
import { createRedactor } from "../redaction/redactor";
import { createLogger } from "./create-logger";

const KEY = 'sk-"proj"\\Zm9v/YmFy+b=';
const LEVELS = ["fatal", "error", "warn", "info", "debug", "trace"] as const;

function openLog() {
	const lines: string[] = [];
	const redactor = createRedactor();
	const logger = createLogger("trace", redactor, { write: (line) => void lines.push(line) });
	return { lines, redactor, logger };
}

const nested = (): Error =>
	new Error(`outer ${KEY}`, {
		cause: new ConfigurationError("middle", { cause: new Error(`inner ${KEY}`) }),
	});

const UNKNOWN = `cs_${randomBytes(32).toString("base64url")}`;

/** Each way in which something gets into a log. */
const LOG_CALLS: Readonly<Record<string, (logger: Logger, level: (typeof LEVELS)[number]) => void>> = {
	"a message": (logger, level) => logger[level](`It answered: ${KEY}`),
	"a message with values": (logger, level) => logger[level]("It answered: %s %j", KEY, { key: KEY }),
	"a field": (logger, level) => logger[level]({ answer: { list: [1, KEY] } }, "it answered"),
	"the name of a field": (logger, level) => logger[level]({ [KEY]: true }),
	"an error": (logger, level) => logger[level]({ err: new Error(`It answered: ${KEY}`) }, "failed"),
	"an error alone": (logger, level) => logger[level](new Error(KEY)),
	"an error in a field": (logger, level) =>
		logger[level]({ failure: { error: nested().cause, also: new ConfigurationError(KEY) } }),
	"a field of an error": (logger, level) =>
		logger[level]({ err: Object.assign(new Error("x"), { body: KEY }) }),
	"a cause of a cause": (logger, level) => logger[level]({ err: nested() }),
	"several errors in one": (logger, level) =>
		logger[level]({ err: new AggregateError([nested(), new Error(KEY)], "all failed") }),
	"an error of a program's own": (logger, level) =>
		logger[level]({ err: new ConfigurationError(`x ${KEY}`, { hint: KEY }) }),
	bytes: (logger, level) => logger[level]({ body: Buffer.from(KEY), deep: [{ body: Buffer.from(KEY) }] }),
	"a typed array": (logger, level) => logger[level]({ body: new Uint8Array(Buffer.from(KEY)) }),
	"a binding": (logger, level) => logger.child({ key: KEY })[level]("of a child"),
	"a binding of a child of a child": (logger, level) =>
		logger
			.child({ a: { key: KEY } })
			.child({ b: 1 }, { msgPrefix: `${KEY} ` })
			[level]("deep"),
	"a URL": (logger, level) => logger[level]({ url: `https://a.example/?key=${encodeURIComponent(KEY)}` }),
	"a header": (logger, level) =>
		logger[level]({ header: `Basic ${Buffer.from(`me:${KEY}`).toString("base64")}` }),
	"an object that goes in circles": (logger, level) => {
		const cyclicObject: { key: string; self?: unknown } = { key: KEY };
		cyclicObject.self = cyclicObject;
		logger[level]({ cyclicObject });
	},
};

const FORMS = [
	KEY,
	JSON.stringify(KEY).slice(1, -1),
	JSON.stringify(JSON.stringify(KEY).slice(1, -1)).slice(1, -1),
	encodeURIComponent(KEY),
	Buffer.from(KEY).toString("base64").slice(0, 20),
	Buffer.from(`me:${KEY}`).toString("base64").slice(8, 20),
	[...Buffer.from(KEY)].slice(0, 12).join(","),
	'"0":115,"1":107',
];

describe.each(Object.entries(LOG_CALLS))("%s", (_, log) => {
	it.each(LEVELS)("shows no secret at the level %s", (level) => {
		const { lines, redactor, logger } = openLog();
		log(logger, level);
		// Else this would show nothing.
		expect(FORMS.some((form) => lines.join("").includes(form)) || /\\"proj\\"/.test(lines.join(""))).toBe(
			true,
		);
		lines.length = 0;
		redactor.add(new Secret(KEY));
		log(logger, level);
		expect(lines).toHaveLength(1);
		const [line = ""] = lines;
		expect(JSON.parse(line)).toMatchObject({ level: logger.levels.values[level], time: expect.any(String) });
		expect(line).toContain("****");
		expect(line).not.toMatch(/proj/);
		for (const form of FORMS) expect(line).not.toContain(form);
	});
});

describe("a logger", () => {
	it("keeps what errors say besides, with their stacks and causes", () => {
		const { lines, redactor, logger } = openLog();
		redactor.add(KEY);
		logger.error({ err: nested() }, "failed");
		const { err, msg } = JSON.parse(lines[0] ?? "");
		expect(msg).toBe("failed");
		expect(err.message).toBe("outer ****: middle: inner ****");
		expect(err.stack).toMatch(
			/outer \*\*\*\*\n +at .*create-logger\.test\.ts[\s\S]*caused by: ConfigurationError/,
		);
	});

	it.each([
		"authorization",
		"cookie",
		"apiKey",
		"api_key",
		"secret_access_key",
		"client_secret",
		"client_key",
		"access_token",
		"run_token",
	])("masks the field %s whatever it holds", (field) => {
		const { lines, logger } = openLog();
		logger.info({ [field]: "short", deep: { [field]: "short", deeper: { [field]: "short" } } });
		expect(lines.join("")).not.toContain("short");
	});

	it("knows the credentials of Stemma without having been told", () => {
		const { lines, logger } = openLog();
		logger.warn({ err: new Error(`refused ${UNKNOWN}`) }, `for ${UNKNOWN}`);
		expect(lines.join("")).not.toContain(UNKNOWN);
		expect(lines.join("")).toContain("for cs_****");
	});

	it("knows a secret from the moment in which it is added, in children that were there before", () => {
		const { lines, redactor, logger } = openLog();
		const child = logger.child({ part: "before" });
		redactor.add(KEY);
		child.info(KEY);
		expect(lines.join("")).toContain('"part":"before","msg":"****"');
	});

	it("writes a line of JSON for each entry, and none below its level", () => {
		const lines: string[] = [];
		const logger = createLogger("warn", undefined, { write: (line) => void lines.push(line) });
		logger.info("not this one");
		logger.warn({ a: 1 }, "this one");
		expect(lines).toEqual([
			expect.stringMatching(/^\{"level":40,"time":"[^"]+Z","a":1,"msg":"this one"\}\n$/),
		]);
		expect(createLogger("silent").level).toBe("silent");
	});
});
