/* SPDX-License-Identifier: GPL-2.0-only */
/* member_types.c - the records of a member: those of its types, and the declaration tags of these */
#include "encoder/member/member_reader.h"
#include "encoder/unit/unit_intern.h"

ALWAYS_INLINE bool reference(struct unit_encoder *m, unit_tid t, uint32_t ret[BTF_REC_WORDS])
{
	struct member_reader *r = m->member;
	const uint32_t *rec = r->recs.items[t];
	uint32_t kind = btf_info_kind(rec[BTF_REC_INFO]);

	if (kind != BTF_PTR && !btf_kind_is_modifier(kind))
		return false;
	ret[BTF_REC_NAME] = member_string(r, rec[BTF_REC_NAME]);
	ret[BTF_REC_INFO] = rec[BTF_REC_INFO];
	ret[BTF_REC_SIZE_TYPE] = member_number_of(r, rec[BTF_REC_SIZE_TYPE]);
	return true;
}

/* 0 if the string at @off is @name of the pool. */
ALWAYS_INLINE uint32_t other_name(const struct member_reader *r, uint32_t off, uint32_t name)
{
	return member_known_string(r, off) ^ name;
}

/* 0 if @ref of the pool refers to the type @id of the member. */
ALWAYS_INLINE uint32_t other_ref(struct member_reader *r, uint32_t id, pool_ref ref)
{
	return unit_ref_like(r->encoder, member_number_of(r, id), ref) ^ ref;
}

ALWAYS_INLINE bool is_record(struct unit_encoder *m, unit_tid t, const uint32_t *rec)
{
	struct member_reader *r = m->member;
	const uint32_t *mine = r->recs.items[t], *elem = mine + BTF_REC_WORDS;
	uint32_t info = mine[BTF_REC_INFO], vlen = btf_info_vlen(info);
	uint32_t size = mine[BTF_REC_SIZE_TYPE], its_size = rec[BTF_REC_SIZE_TYPE];
	uint32_t differs = 0;

	if (info != rec[BTF_REC_INFO] || other_name(r, mine[BTF_REC_NAME], rec[BTF_REC_NAME]))
		return false;
	rec += BTF_REC_WORDS;
	switch (btf_info_kind(info)) {
	case BTF_STRUCT:
	case BTF_UNION:
		if (size != its_size)
			return false;
		for (; vlen--; elem += 3, rec += 3)
			differs |= other_name(r, elem[0], rec[0]) | other_ref(r, elem[1], rec[1]) |
				   (elem[2] ^ rec[2]);
		return !differs;
	case BTF_FUNC_PROTO:
		differs = other_ref(r, size, its_size);
		for (; vlen--; elem += 2, rec += 2)
			differs |= other_name(r, elem[0], rec[0]) | other_ref(r, elem[1], rec[1]);
		return !differs;
	case BTF_ENUM:
		if (size != its_size)
			return false;
		for (; vlen--; elem += 2, rec += 2)
			differs |= other_name(r, elem[0], rec[0]) | (elem[1] ^ rec[1]);
		return !differs;
	case BTF_ARRAY:
		/* the size of an array must be 0, which the check of the result finds */
		return size == its_size && elem[2] == rec[2] && elem[1] < r->end &&
		       !other_ref(r, elem[0], rec[0]);
	case BTF_FWD:
		return true;
	case BTF_INT:
		return size == its_size && elem[0] == rec[0];
	default:
		return false;
	}
}

static void targets(struct unit_encoder *m, unit_tid t)
{
	struct member_reader *r = m->member;
	const uint32_t *rec = r->recs.items[t];

	btf_rec_each_type(rec, type)
	{
		/* the index type of an array is none of the unit */
		if (type != &rec[BTF_REC_WORDS + 1] || btf_rec_kind(rec) != BTF_ARRAY)
			unit_want(m, member_number_of(r, *type));
	}
}

static void record(struct unit_encoder *m, unit_tid t, const struct omission_log *log UNUSED)
{
	const uint32_t *from = m->member->recs.items[t];

	m->words.nr = 0;
	member_convert(m->member, from, &m->words);
}

static const struct record_source of_member = { reference, is_record, targets, record };

static void count_records(struct member_reader *r)
{
	struct unit_encoder *m = r->encoder;

	m->member = r;
	m->source = &of_member;
	m->index_tid = r->index_tid;
	m->nr_records = (uint32_t)r->recs.nr;
}

/* Refer to types with a name by name. Other types have no reference until they are entered. */
static void name_refs(struct member_reader *r)
{
	pool_ref *refs = r->encoder->refs;

	for (unit_tid t = 1; t < r->recs.nr; t++) {
		const uint32_t *rec = r->recs.items[t];

		if (likely(rec)) {
			const uint32_t named[] = { member_string(r, rec[BTF_REC_NAME]),
						   rec[BTF_REC_INFO] };

			refs[t] = pool_ref_to(named, NO_REF);
		}
	}
}

void member_add_types(struct member_reader *r)
{
	struct unit_encoder *m = r->encoder;

	count_records(r);
	unit_begin_types(m);
	name_refs(r);
	unit_intern(m, &of_member);
	unit_end_types(m);
}

void member_raw_types(struct member_reader *r, struct raw_unit *ret)
{
	count_records(r);
	unit_records(r->encoder, ret);
}
