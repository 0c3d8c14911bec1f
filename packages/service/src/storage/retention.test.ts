import { clock } from "@stemma/core/internal";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createDeploymentAuditRepository } from "../store/repositories/audit-repository";
import { createStorageRepository } from "../store/repositories/storage/storage-repository";
import { type FileDatabase, openFileDatabase } from "../store/test-support/file-database";
import { type WorkspaceTables, workspaceMigrations } from "../store/workspace-tables";
import { DAY_MS } from "../usage/day";
import type { Retention, StorageRepository } from "./storage-repository";
import { assertWithinQuota } from "./storage-use";
import { sweepStorage } from "./sweep-storage";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const EVERYTHING: Retention = { runs: 1_000_000, receipts: 1_000_000, feedback: 1_000_000 };

let database: FileDatabase<WorkspaceTables>;
let storage: StorageRepository;
beforeEach(() => {
	database = openFileDatabase<WorkspaceTables>(workspaceMigrations);
	storage = createStorageRepository(database);
	const { prepare } = database.file;
	database.file.database.exec("PRAGMA foreign_keys = ON");
	// One a day, the oldest first; the last two have not ended.
	for (let day = 0; day < 400; day++) {
		const at = NOW - (400 - day) * DAY_MS;
		const id = `run_${String(day).padStart(3, "0")}`;
		prepare(
			"INSERT INTO runs (id, agent_id, agent_slug, agent_version, status, background, started_by, created_at, ended_at, last_seq) VALUES (?, 'ag', 'a', 1, ?, 0, 'cl', ?, ?, 1)",
		).run(id, day < 398 ? "completed" : "paused", at, day < 398 ? at : null);
		prepare("INSERT INTO run_events VALUES (?, 1, '{}')").run(id);
		prepare("INSERT INTO receipts (id, run_id, created_at, receipt) VALUES (?, ?, ?, '{}')").run(
			`rcp_${id}`,
			id,
			at,
		);
		prepare("INSERT INTO usage_days VALUES (?, 'none', 'answer', 'p', 'm', 1, 1, 1, 0, 0)").run(
			new Date(at).toISOString().slice(0, 10),
		);
		prepare("INSERT INTO usage_user_days VALUES (?, 'none', 'answer', 'p', 'm', 1, 1, 1, 0, 0, '')").run(
			new Date(at).toISOString().slice(0, 10),
		);
		prepare("INSERT INTO audit VALUES (?, ?, 'secret.set', 'cl', 't', '{}', NULL)").run(`aud_${id}`, at);
		prepare(
			"INSERT INTO feedback (id, subject, sent_by, rating, tags, created_at, updated_at, content) VALUES (?, ?, 'cl', 'up', '[]', ?, ?, '{}')",
		).run(`fb_${id}`, id, at, at);
		prepare("INSERT INTO answers (id, asked_by, created_at, content) VALUES (?, 'cl', ?, '{}')").run(
			`ans_${id}`,
			at,
		);
	}
});
afterEach(() => database.close());

const count = (table: string): number =>
	Number(database.file.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count);
const counts = () =>
	Object.fromEntries(
		["runs", "run_events", "receipts", "usage_days", "usage_user_days", "audit", "feedback", "answers"].map(
			(table) => [table, count(table)],
		),
	);

/** The deployment has no rows here that could go. */
const sweep = (retention: Partial<Retention>) =>
	sweepStorage(
		{
			deployment: { audit: createDeploymentAuditRepository(database as never) },
			workspaces: { list: () => [{ store: { storage } }] },
		},
		{ ...EVERYTHING, ...retention },
		(error) => {
			throw error;
		},
		NOW,
	);

it("keeps everything where nothing is said", async () => {
	const before = counts();
	await sweep({});
	expect(counts()).toEqual(before);
});

it("keeps so many runs, with their events, and none that has not ended goes", async () => {
	await sweep({ runs: 10 });
	expect(counts()).toMatchObject({ runs: 10, run_events: 10, receipts: 400 });
	expect(database.file.prepare("SELECT min(id) AS id FROM runs").get()).toEqual({ id: "run_390" });
	await sweep({ runs: 1 });
	expect(database.file.prepare("SELECT id FROM runs").all()).toEqual([{ id: "run_398" }, { id: "run_399" }]);
});

it("keeps a run whose end somebody is still to be told", async () => {
	const { prepare } = database.file;
	prepare(
		"INSERT INTO a2a_tasks (run_id, agent_id, started_by, context_id, message_key, message) VALUES ('run_000', 'ag', 'cl', 'c', 'm', '{}')",
	).run();
	prepare(
		"INSERT INTO a2a_push_configs VALUES ('run_000', 'p', 'https://a.example', NULL, NULL, 'cl', 'answer', 0, 0, 0)",
	).run();
	await sweep({ runDays: 30 });
	expect(database.file.prepare("SELECT min(id) AS id FROM runs").get()).toEqual({ id: "run_000" });
});

it("keeps runs, receipts, usage, the audit and feedback for so many days", async () => {
	await sweep({ runDays: 30, receiptDays: 40, usageDays: 50, auditDays: 60, feedbackDays: 70 });
	// The day itself is kept.
	expect(counts()).toEqual({
		...{
			runs: 30,
			run_events: 30,
			receipts: 40,
			usage_days: 50,
			usage_user_days: 50,
			audit: 60,
			feedback: 70,
			answers: 70,
		},
	});
});

it("does not follow a clock that was ahead for a moment", async () => {
	const hour = Date.now() - 60 * 60 * 1000;
	database.file.prepare("UPDATE runs SET ended_at = ? WHERE ended_at IS NOT NULL").run(hour);
	// The clock of this process begins anew with these, and again without them.
	vi.useFakeTimers({ now: Date.now(), toFake: ["Date"] });
	try {
		clock.advanceTo(Date.now() + 4000 * DAY_MS);
		await sweepStorage(
			{
				deployment: { audit: createDeploymentAuditRepository(database as never) },
				workspaces: { list: () => [{ store: { storage } }] },
			},
			{ ...EVERYTHING, runDays: 30 },
			(error) => {
				throw error;
			},
		);
	} finally {
		vi.useRealTimers();
	}
	expect(count("runs")).toBe(400);
});

it("keeps so many receipts", async () => {
	await sweep({ receipts: 25 });
	expect(counts()).toMatchObject({ runs: 400, receipts: 25, usage_days: 400, usage_user_days: 400 });
});

it("keeps so much feedback and so many answers, whether their runs are kept or not", async () => {
	await sweep({ runs: 10, feedback: 25 });
	expect(counts()).toMatchObject({ runs: 10, feedback: 25, answers: 25 });
	expect(database.file.prepare("SELECT min(id) AS id FROM feedback").get()).toEqual({ id: "fb_run_375" });
});

it("counts what a workspace uses, and not what was deleted", async () => {
	const before = await storage.readBytes();
	database.file.prepare("INSERT INTO run_events VALUES ('run_000', 2, ?)").run("x".repeat(3_000_000));
	const full = await storage.readBytes();
	expect(full - before).toBeGreaterThan(2_900_000);
	await assertWithinQuota(storage, 100, full + 100);
	await expect(assertWithinQuota(storage, 101, full + 100)).rejects.toMatchObject({
		code: "quota_exceeded",
		details: { quota: "storage_bytes", used: full, maximum: full + 100, requested: 101 },
	});
	database.file.prepare("DELETE FROM run_events WHERE seq = 2").run();
	expect(await storage.readBytes()).toBeLessThan(before + 10_000);
});
