import { expect, test } from "vitest";
import type { StoredMember } from "../stored-people";
import { decideRole } from "./sign-in-with-issuer";

const facts = { activeMembers: 1, otherAdmins: 1 };
const rules = { users: "verified_email", groups: [{ group: "g", role: "editor" }] } as const;
const none = { users: "verified_email", groups: [] } as const;
const toMember = (role: StoredMember["role"], status: StoredMember["status"] = "active"): StoredMember => ({
	...{ id: "usr_1", email: "ada@example.com", name: "Ada", status, workspace_id: "ws_1", role },
	created_at: 1,
});

test.each([
	["adds a person whom a rule gives a role", rules, "editor", undefined, "editor"],
	["adds nobody without one", rules, undefined, undefined, undefined],
	[
		"adds nobody where only members may sign in",
		{ ...rules, users: "existing" },
		"editor",
		undefined,
		undefined,
	],
	["raises a member", rules, "admin", toMember("viewer"), "admin"],
	["lowers a member", rules, "viewer", toMember("admin"), "viewer"],
	["refuses a member whom no rule gives a role", rules, undefined, toMember("admin"), undefined],
	["leaves roles alone without rules", none, "viewer", toMember("admin"), "admin"],
	["brings no removed member back", rules, "admin", toMember("viewer", "removed"), undefined],
] as const)("%s", (_, configuration, mapped, member, expected) => {
	expect(decideRole(configuration, mapped, { ...facts, member })).toBe(expected);
});

test("leaves the last admin", () => {
	const last = { activeMembers: 3, otherAdmins: 0, member: toMember("admin") };
	expect(decideRole(rules, "viewer", last)).toBe("admin");
});

test("adds so many members", () => {
	expect(() =>
		decideRole(rules, "viewer", { activeMembers: 10_000, otherAdmins: 1, member: undefined }),
	).toThrow(expect.objectContaining({ code: "too_many_members" }));
});
