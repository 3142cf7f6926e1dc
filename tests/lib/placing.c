/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/lib/placing.h"

#include "base/vec.h"

void scene_section(struct scene *s, char letter, const char *name, uint64_t addr, uint64_t size)
{
	s->sections[(uint8_t)letter] = (uint32_t)
		MAKE_SECTION(&s->m, .name = name, .type = SHT_NOBITS, .flags = SHF_ALLOC,
			     .addr = s->m.type == ET_REL ? 0 : addr, .size = size, .align = 16, );
}

void scene_begin(struct scene *s, uint16_t type)
{
	s->m = make_x86_64(type);
	scene_section(s, 'd', ".data", BASE, SIZE);
	scene_section(s, 'b', ".bss", BASE + SIZE, SIZE);
	assembly_init(&s->a, &s->opts);
	s->diags.verbose = true;
}

void scene_release(struct scene *s)
{
	assembly_release(&s->a);
	diag_release(&s->diags);
	symbols_release(&s->syms);
	object_close(&s->obj);
}

uint32_t scene_name(struct scene *s, const char *text)
{
	return str_pool_add(&s->a.strings, text, strlen(text));
}

void scene_symbol(struct scene *s, const char *name, uint8_t info, uint32_t section, uint64_t value,
		  uint64_t size)
{
	/* for the null symbol and the name */
	make_symbol(&s->m, name, STT_OBJECT, section, 0, 0);
	s->m.syms.len -= sizeof(Elf64_Sym);
	make_raw_symbol(&s->m, (uint32_t)(s->m.strings.len - strlen(name) - 1), info, section,
			value, size);
}

/* The next word of @text, until the program ends; NULL at the end. */
static char *next_word(const char **text)
{
	size_t blanks = strspn(*text, " "), len = strcspn(*text + blanks, " ");
	const char *start = *text + blanks;

	*text = start + len;
	return len ? make_text("%.*s", (int)len, start) : NULL;
}

/* Cut @word at the first @end; what follows it, or NULL. */
static char *cut(char *word, char end)
{
	char *at = strchr(word, end);

	if (!at)
		return NULL;
	*at = '\0';
	return at + 1;
}

static uint32_t size_of(const char *hex)
{
	return hex ? (uint32_t)strtoul(hex, NULL, 16) : 4;
}

static bool skip(char **word, char c)
{
	bool found = **word == c;

	*word += found;
	return found;
}

static void add_symbol(struct scene *s, char *word)
{
	bool global = skip(&word, '+'), label = skip(&word, '?');
	char *size = cut(word, '/'), *place = cut(word, '@');

	CHECK(place);
	uint32_t section = s->sections[(uint8_t)place[0]];
	bool has_addr = s->m.type != ET_REL && section < SHN_LORESERVE;
	uint64_t value = strtoul(place + 1, NULL, 16) +
			 (has_addr ? s->m.sections[section].addr : 0);
	scene_symbol(s, word,
		     ELF64_ST_INFO(global ? STB_GLOBAL : STB_LOCAL,
				   label ? STT_NOTYPE : STT_OBJECT),
		     section, value, size_of(size));
}

static struct unit_btf *last_unit(struct scene *s)
{
	return &s->a.units.items[s->a.units.nr - 1].btf;
}

static void add_unit(struct scene *s, const char *name)
{
	struct assembly_unit u = { 0 };

	CHECK(s->a.units.nr < MAX_UNITS);
	u.btf.unit = (uint32_t)s->a.units.nr;
	u.btf.name = *name ? scene_name(s, name) : 0;
	vec_push(&s->a.units, u);
}

/* @word is a variable; @section has the name of its section. */
static void add_var(struct scene *s, char *word, uint32_t section)
{
	struct unit_btf *b = last_unit(s);
	bool placed = skip(&word, '='), global = skip(&word, '+');
	char *place = cut(word, placed ? '@' : '>'), *size = cut(word, '/');
	uint32_t name = scene_name(s, word), linkage = global ? BTF_LINK_GLOBAL : BTF_LINK_STATIC;

	if (placed) {
		CHECK(place);
		vec_push(&b->vars, ((struct unit_var){
					   .name = name,
					   .section = s->sections[(uint8_t)place[0]],
					   .offset = (uint32_t)strtoul(place + 1, NULL, 16),
					   .size = size_of(size),
					   .linkage = linkage,
				   }));
		return;
	}
	CHECK(b->unplaced.nr < MAX_VARS);
	s->places[b->unit][b->unplaced.nr] = place;
	s->names[b->unit][b->unplaced.nr] = name;
	vec_push(&b->unplaced, ((struct unplaced_var){
				       .name = name,
				       .size = size_of(size),
				       .linkage = linkage,
				       .section = section,
			       }));
}

void scene_add(struct scene *s, const char *symbols, const char *units)
{
	uint32_t section = 0;
	char *word;

	while ((word = next_word(&symbols)) != NULL) {
		size_t len = strlen(word) - 1;

		if (word[len] == ':') {
			word[len] = '\0';
			scene_symbol(s, word, ELF64_ST_INFO(STB_LOCAL, STT_FILE), SHN_ABS, 0, 0);
		} else {
			add_symbol(s, word);
		}
	}
	while ((word = next_word(&units)) != NULL) {
		size_t len = strlen(word) - 1;

		if (word[len] == '|') {
			word[len] = '\0';
			add_unit(s, word);
		} else if (word[0] == '.') {
			section = scene_name(s, word);
		} else if (word[0] == '!') {
			s->nr_diags = word + 1;
		} else {
			add_var(s, word, section);
		}
	}
}

/* Variable @i of the unit, of those without facts, must be at its place. */
static void check_var(const struct scene *s, size_t unit, size_t i, const char *file, int line)
{
	const struct unit_btf *b = &s->a.units.items[unit].btf;
	const char *want = s->places[unit][i];
	const char *got = "-";

	if (!want)
		return;
	for (size_t k = 0; k < b->vars.nr; k++) {
		const struct unit_var *v = &b->vars.items[k];

		for (size_t c = 0; c < ARRAY_SIZE(s->sections); c++) {
			if (v->name == s->names[unit][i] && s->sections[c] &&
			    s->sections[c] == v->section)
				got = make_text("%c%x", (int)c, v->offset);
		}
	}
	if (strcmp(got, want) != 0)
		test_fail(file, line, "variable %zu of unit %zu: place %s, not %s", i, unit, got,
			  want);
}

void scene_check_at(struct scene *s, const char *file, int line)
{
	const struct omission_log log = { .diags = &s->diags, .strings = &s->a.strings };
	bool wanted[ARRAY_SIZE(s->unwanted)];
	size_t nr = 0;

	make_symtab(&s->m);
	CHECK_OK(object_open(make_file(make_bytes(&s->m)), &s->obj));
	CHECK_OK(symbols_read(&s->obj, &s->syms));
	CHECK_OK(symbols_index_objects(&s->obj, NULL, &s->syms));
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
		wanted[i] = !s->unwanted[i];
	vec_push(&s->a.files, ((struct func_file){ .obj = &s->obj, .syms = &s->syms }));
	assembly_place_vars(&s->a, s->a.units.nr, wanted, s->apart, &log);
	for (size_t u = 0; u < s->a.units.nr && !s->unchecked; u++) {
		for (size_t i = 0; i < MAX_VARS; i++)
			check_var(s, u, i, file, line);
	}
	for (const struct diagnostic *d = s->diags.first; d; d = d->next)
		nr++;
	if (s->nr_diags && nr != strtoul(s->nr_diags, NULL, 10))
		test_fail(file, line, "%zu messages, not %s", nr, s->nr_diags);
}
