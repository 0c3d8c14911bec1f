/** Segment of a word index, as far as its merging is concerned. */
export interface SegmentSize {
	readonly segment: number;
	/** Number of its passages, those that are deleted included. */
	readonly passages: number;
	/** Number of its passages that are deleted, or a few more. */
	readonly deleted: number;
}

/** Number of segments of about the same size from which they are merged, and the factor between sizes. */
const MIN_SEGMENTS = 8;
/** Maximum passages of a merged segment, so that a merge takes tenths of a second. */
const MAX_SEGMENT_PASSAGES = 8_192;
/** Share of deleted passages above which a segment is written again without them. */
const MAX_DELETED_SHARE = 0.25;

/**
 * Plans which segments of a word index are merged into one: one alone where many of its passages are deleted.
 *
 * @returns numbers of segments; none where nothing is to be done.
 */
export function planMerge(segments: readonly SegmentSize[]): readonly number[] {
	const spoilt = segments.find(({ passages, deleted }) => deleted > passages * MAX_DELETED_SHARE);
	if (spoilt !== undefined) return [spoilt.segment];
	for (const group of Map.groupBy(segments, ({ passages }) => toLevel(passages)).values()) {
		if (group.length < MIN_SEGMENTS) continue;
		const merged = takeWithinLimit(group);
		if (merged.length > 1) return merged;
	}
	return [];
}

const toLevel = (passages: number): number =>
	Math.floor(Math.log(Math.max(1, passages)) / Math.log(MIN_SEGMENTS));

function takeWithinLimit(segments: readonly SegmentSize[]): readonly number[] {
	let passages = 0;
	return segments
		.filter((segment) => {
			passages += segment.passages;
			return passages <= MAX_SEGMENT_PASSAGES;
		})
		.map(({ segment }) => segment);
}
