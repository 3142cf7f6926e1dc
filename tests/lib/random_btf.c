/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/lib/random_btf.h"

void random_btf(struct random_program *p, uint32_t nr_units, struct random_btf *ret)
{
	uint32_t len = 0;

	for (uint32_t i = 0; i <= RANDOM_NAMES; i++) {
		size_t size = strlen(random_name(i)) + 1;

		ret->offsets[i] = len;
		memcpy(ret->text + len, random_name(i), size);
		len += (uint32_t)size;
	}
	ret->view = (struct btf_view){ .strings = { (const uint8_t *)ret->text, len } };
	btf_types_init(&ret->view.types, NULL);
	while (nr_units--)
		random_unit(p, &ret->view.types);
	random_sites(&p->r, &ret->view.types);
	for (uint32_t id = 1; id < btf_types_end(&ret->view.types); id++) {
		btf_rec_each_name(btf_types_rec(&ret->view.types, id),
				  name) *name = ret->offsets[*name];
	}
}
