import { expect, it } from "vitest";
import { toReleaseNotes } from "./release-notes";

const CHANGELOG = `# @stemma/client

## 0.2.0

### Minor Changes

- 1a2b3c4: Runs are rejoined.

  - also on phones

### Patch Changes

- Updated dependencies [1a2b3c4]
  - @stemma/core@0.2.0

## 0.1.0

### Minor Changes

- 9f8e7d6: First release.
`;
const UNCHANGED = `# stemma

## 0.2.0

### Patch Changes

- Updated dependencies
  - @stemma/client@0.2.0
`;

it("has what changed in each package, and nothing of packages that were only raised", () => {
	const changelogs = [
		{ name: "@stemma/client", text: CHANGELOG },
		{ name: "stemma", text: UNCHANGED },
	];
	expect(toReleaseNotes(changelogs, "0.2.0")).toBe(
		"## @stemma/client\n\n- Runs are rejoined.\n\n  - also on phones\n",
	);
	expect(toReleaseNotes(changelogs, "0.1.0")).toBe("## @stemma/client\n\n- First release.\n");
	expect(toReleaseNotes(changelogs, "0.3.0")).toBe("");
});
