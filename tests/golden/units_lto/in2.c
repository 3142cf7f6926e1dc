struct s {
	int a, b;
};
void touch(struct s *s);
/* clobbers its parameters, so that they are in lists of locations */
__attribute__((noinline, used)) int twice(int a, double unexpected)
{
	struct s s = { a, (int)unexpected };

	touch(&s);
	return s.a * s.b;
}
__attribute__((noinline, used)) int member(struct s *s)
{
	touch(s);
	return twice(s->a, s->b);
}
