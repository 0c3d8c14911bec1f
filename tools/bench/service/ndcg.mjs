const gain = (rank) => 1 / Math.log2(rank + 2);

/** Normalized discounted cumulative gain of a ranking in which documents are relevant or not. */
export function ndcg(ranking, relevant, depth) {
	const top = [...new Set(ranking)].slice(0, depth);
	const own = top.reduce((sum, document, rank) => sum + (relevant.has(document) ? gain(rank) : 0), 0);
	let ideal = 0;
	for (let rank = 0; rank < Math.min(depth, relevant.size); rank++) ideal += gain(rank);
	return own / ideal;
}

export async function meanNdcg(queries, depth, rank) {
	let sum = 0;
	for (const query of queries) sum += ndcg(await rank(query), query.relevant, depth);
	return sum / queries.length;
}
