/** The names of a metric's labels, and their values at one time. */
export type Labels = Readonly<Record<string, string>>;

interface MetricDescription {
	readonly name: string;
	readonly help: string;
}

/** More label sets of one metric are counted as one, with `other` in each label: a scrape stays small. */
const MAX_SERIES = 2_000;
const OTHER = "other";

/** `{a="b"}` (Prometheus text format 0.0.4); empty without labels. */
function writeLabels(labels: Labels): string {
	const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeValue(value)}"`);
	return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

const escapeValue = (value: string): string =>
	value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");

const writeHead = ({ name, help }: MetricDescription, type: string): string =>
	`# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;

interface LabelSet<Value> {
	readonly labels: Labels;
	readonly value: Value;
}

/** Label sets that begin with the same values. */
interface Branch<Value> {
	readonly next: Map<string, Branch<Value>>;
	set: LabelSet<Value> | undefined;
}

const createBranch = <Value>(): Branch<Value> => ({ next: new Map(), set: undefined });

/** Label sets with what is counted for each; found value by value, since a key of all values would be written for each count. */
class Series<Value> {
	readonly #root = createBranch<Value>();
	readonly #sets: LabelSet<Value>[] = [];
	readonly #create: () => Value;

	constructor(create: () => Value) {
		this.#create = create;
	}

	get(labels: Labels): Value {
		return this.#find(labels)?.value ?? this.#add(labels);
	}

	#find(labels: Labels): LabelSet<Value> | undefined {
		let branch: Branch<Value> | undefined = this.#root;
		for (const name in labels) branch = branch?.next.get(labels[name] ?? "");
		return branch?.set;
	}

	#add(labels: Labels): Value {
		const values = Object.values(labels);
		if (this.#sets.length >= MAX_SERIES && !values.every((value) => value === OTHER))
			return this.get(Object.fromEntries(Object.keys(labels).map((name) => [name, OTHER])));
		let branch = this.#root;
		for (const value of values) {
			const next: Branch<Value> = branch.next.get(value) ?? createBranch();
			branch.next.set(value, next);
			branch = next;
		}
		branch.set = { labels, value: this.#create() };
		this.#sets.push(branch.set);
		return branch.set.value;
	}

	all(): readonly LabelSet<Value>[] {
		return this.#sets;
	}
}

/** Counter metric: a value that only grows. */
export class Counter {
	readonly #description: MetricDescription;
	readonly #series = new Series(() => ({ count: 0 }));

	constructor(name: string, help: string) {
		this.#description = { name, help };
	}

	add(labels: Labels = {}, amount = 1): void {
		this.#series.get(labels).count += amount;
	}

	write(): string {
		const { name } = this.#description;
		let text = writeHead(this.#description, "counter");
		for (const { labels, value } of this.#series.all())
			text += `${name}${writeLabels(labels)} ${value.count}\n`;
		return text;
	}
}

/** Histogram metric: counts measured values in buckets. */
export class Histogram {
	readonly #description: MetricDescription;
	readonly #bounds: readonly number[];
	readonly #series: Series<{ readonly counts: number[]; count: number; sum: number }>;

	/** @param bounds - the upper ends of its buckets, ascending. */
	constructor(name: string, help: string, bounds: readonly number[]) {
		this.#description = { name, help };
		this.#bounds = bounds;
		this.#series = new Series(() => ({ counts: bounds.map(() => 0), count: 0, sum: 0 }));
	}

	observe(labels: Labels, value: number): void {
		const series = this.#series.get(labels);
		const bucket = this.#bounds.findIndex((bound) => value <= bound);
		if (bucket >= 0) series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
		series.count += 1;
		series.sum += value;
	}

	write(): string {
		const { name } = this.#description;
		let text = writeHead(this.#description, "histogram");
		for (const { labels, value } of this.#series.all()) {
			let cumulative = 0;
			for (const [index, bound] of this.#bounds.entries()) {
				cumulative += value.counts[index] ?? 0;
				text += `${name}_bucket${writeLabels({ ...labels, le: String(bound) })} ${cumulative}\n`;
			}
			text += `${name}_bucket${writeLabels({ ...labels, le: "+Inf" })} ${value.count}\n`;
			text += `${name}_sum${writeLabels(labels)} ${value.sum}\n`;
			text += `${name}_count${writeLabels(labels)} ${value.count}\n`;
		}
		return text;
	}
}

/** Writes a gauge metric with its current values. */
export function writeGauge(
	name: string,
	help: string,
	values: readonly (readonly [labels: Labels, value: number])[],
): string {
	const lines = values.map(([labels, value]) => `${name}${writeLabels(labels)} ${value}\n`);
	return writeHead({ name, help }, "gauge") + lines.join("");
}
