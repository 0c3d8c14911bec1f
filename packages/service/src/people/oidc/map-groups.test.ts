import { expect, test } from "vitest";
import { mapGroups } from "./map-groups";

const rules = [
	{ group: "shop-admins", role: "admin", workspace: "shop" },
	{ group: "staff", role: "editor" },
	{ group: "shop", role: "viewer", workspace: "shop" },
] as const;

test("gives the highest role of each workspace, in the order of the rules", () => {
	expect(mapGroups({ groups: rules, workspace: "main" }, ["shop", "staff", "shop-admins"])).toEqual([
		{ workspace: "shop", role: "admin" },
		{ workspace: "main", role: "editor" },
	]);
});

test("gives the role of the issuer to those in no group of its workspace", () => {
	expect(mapGroups({ groups: rules, workspace: "main", role: "viewer" }, ["shop"])).toEqual([
		{ workspace: "shop", role: "viewer" },
		{ workspace: "main", role: "viewer" },
	]);
	expect(mapGroups({ groups: rules }, ["others"])).toEqual([{ workspace: undefined, role: undefined }]);
});
