/** Groups of files that import one another, directly or by way of others; each group sorted, the largest first. */
export function findCycles(imports: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
	const reach = new Map([...imports.keys()].map((file) => [file, findReachable(file, imports)]));
	const reaches = (from: string, to: string): boolean => reach.get(from)?.has(to) ?? false;
	const cyclic = [...imports.keys()].filter((file) => reaches(file, file));
	const groups = new Map<string, string[]>();
	for (const file of cyclic) {
		const members = cyclic.filter((other) => reaches(file, other) && reaches(other, file)).sort();
		groups.set(members.join("\n"), members);
	}
	return [...groups.values()].sort((one, other) => other.length - one.length);
}

/** Files that a file imports, directly or by way of others: itself only where it is on a cycle. */
function findReachable(file: string, imports: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
	const found = new Set<string>();
	const open = [file];
	for (let next = open.pop(); next !== undefined; next = open.pop())
		for (const target of imports.get(next) ?? []) {
			if (found.has(target)) continue;
			found.add(target);
			open.push(target);
		}
	return found;
}
