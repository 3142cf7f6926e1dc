int other_unit(void)
{
	return 0;
}
